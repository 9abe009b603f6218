"""What spaCy's English pipeline makes of our texts: words, what each is and what it hangs on, to learn from.

    python -m training.parses --out build/parses.jsonl

Needs spaCy and `en_core_web_sm` (MIT) where it runs; training itself does not. Texts are those of `talk/`,
`stated/` and `written/`, in the tokens of `factbook.extract.local.syntax.tokens`. One line a text: `text`, and of each token
`tokens` (from, to), `tags`, `poses`, `deps`, `heads` (index of a token), `lemmas`, and `starts` (1 where a sentence begins).
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from factbook.extract.local.syntax.tokens import cut_tokens
from training import observed, stated, written


def texts() -> Iterator[str]:
    """Yields every text once."""
    seen = set[str]()
    talk = (
        turn.text
        for path in sorted(observed.FOLDER.glob("*.txt"))
        for each in observed.read_talks(path)
        for turn in each.turns
    )
    for source in (
        talk,
        (each.text for each in stated.read_all()),
        (each.text for each in written.examples()),
    ):
        for text in source:
            if text not in seen:
                seen.add(text)
                yield text


def is_held_out(text: str) -> bool:
    """Whether the text is of the twentieth that no training reads."""
    return hashlib.sha256(text.encode()).digest()[1] < 13


def main() -> None:
    """Writes the parses."""
    import spacy
    from spacy.tokens import Doc

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--pipeline", default="en_core_web_sm", help="an installed package, or the folder of one"
    )
    asked = parser.parse_args()
    nlp: Any = spacy.load(asked.pipeline, exclude=["ner"])
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    count = 0

    def docs() -> Iterator[tuple[Any, str]]:
        for text in texts():
            spans = cut_tokens(text)
            if not spans:
                continue
            spaces = [
                text[end : end + 1] == " " and text[start:end].strip() != "" for start, end in spans
            ]
            yield Doc(nlp.vocab, [text[start:end] for start, end in spans], spaces), text

    with asked.out.open("w", encoding="utf-8") as file:
        for doc, text in nlp.pipe(docs(), as_tuples=True):
            row = {
                "text": text,
                "tokens": cut_tokens(text),
                "tags": [token.tag_ for token in doc],
                "poses": [token.pos_ for token in doc],
                "deps": [token.dep_ for token in doc],
                "heads": [token.head.i for token in doc],
                "lemmas": [token.lemma_.lower() for token in doc],
                "starts": [int(bool(token.is_sent_start)) for token in doc],
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    print(count, "texts")


if __name__ == "__main__":
    main()
