"""Chat sentences out of our own templates and lists of names."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from factbook.extract.local import lexicon
from training.examples import Example, Span
from training.reserved import is_reserved

HERE = Path(__file__).parent
_SLOT = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_KINDS = {
    "person": "person",
    "first": "person",
    "surname": "person",
    "org": "organization",
    "place": "place",
    "project": "project",
    "project_bare": "project",
    "repo": "project",
    "tech": "technology",
    "lowtech": "technology",
    "product": "product",
    "service": "product",
    "campaign": "campaign",
    "campaign_sure": "campaign",
    "event": "event",
    "work": "work",
    "ticket": "task",
}


@cache
def parts() -> dict[str, list[str]]:
    """The sections of `names/parts.txt`, without what is reserved."""
    out: dict[str, list[str]] = {}
    current: list[str] = []
    for line in (HERE / "names" / "parts.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = out.setdefault(line.strip("[]"), [])
        elif line.strip() and not line.startswith("#"):
            splitter = "," if "," in line else "\n"
            current += [entry.strip() for entry in line.split(splitter) if entry.strip()]
    for section, entries in out.items():
        if section not in {"times", "openers", "fillers", "topics", "roles"}:
            entries[:] = [entry for entry in entries if not is_reserved(entry)]
    return out


@cache
def listed(kind: str) -> list[str]:
    """The names of a kind in factbook's own lists, without what is reserved."""
    names = {
        each.name
        for those in lexicon.listed_names().values()
        for each in those
        if each.kind == kind
    }
    return sorted(name for name in names if not is_reserved(name))


@cache
def given() -> list[str]:
    return sorted(
        each.name.title() for each in lexicon.given_names().values() if not is_reserved(each.name)
    )


@cache
def surnames() -> list[str]:
    of_lexicon = {name.title() for name in lexicon.surnames()}
    return sorted(
        name for name in of_lexicon | set(parts()["more surnames"]) if not is_reserved(name)
    )


def all_listed() -> Iterator[str]:
    """Every entry of the lists from which names are made, reserved or not."""
    for those in lexicon.listed_names().values():
        yield from (each.name for each in those)
    yield from lexicon.given_names()
    yield from lexicon.surnames()


class Generator:
    """Makes sentences; equal seeds make equal ones."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        text = (HERE / "templates.txt").read_text(encoding="utf-8").splitlines()
        self._templates = [line for line in text if line.strip() and not line.startswith("#")]
        self._makers: dict[str, Callable[[], str]] = {
            "person": self._person,
            "first": self._first,
            "surname": lambda: self._pick(surnames()),
            "org": self._organization,
            "place": self._place,
            "project": self._project,
            "project_bare": self._project_bare,
            "repo": self._repository,
            "tech": self._technology,
            "lowtech": lambda: self._technology().lower().replace(" ", "-"),
            "product": self._product,
            "service": lambda: self._part("services"),
            "campaign": self._campaign,
            "campaign_sure": self._campaign,
            "event": lambda: self._filled(self._part("events")),
            "work": lambda: self._filled(self._part("works")),
            "ticket": self._ticket,
            "word": self._word,
            "year": lambda: str(self._rng.randint(2019, 2028)),
            "saint": lambda: self._part("saints"),
            "ministry": lambda: self._part("ministries"),
            "role": lambda: self._part("roles"),
            "topic": lambda: self._part("topics"),
            "time": lambda: self._part("times"),
        }

    def examples(self, count: int) -> Iterator[Example]:
        """`count` messages of one to three sentences; none holds a reserved name."""
        while count:
            example = self._message()
            if not any(is_reserved(name) for name in example.names()):
                count -= 1
                yield example

    def name(self, kind: str) -> str:
        """Some name of a kind, for changing names in other texts."""
        slot = {"organization": "org", "technology": "tech", "task": "ticket"}.get(kind, kind)
        while is_reserved(made := self._makers[slot]()):
            pass
        return made

    # --------------------------------------------------------------------------------------------
    # sentences

    def _message(self) -> Example:
        pieces: list[tuple[str, str]] = []
        if self._rng.random() < 0.15:
            pieces += [(self._part("openers"), ""), (" ", "")]
        many = self._rng.choices((1, 2, 3, 4), (60, 25, 10, 5))[0]
        for number in range(many):
            if number:
                ended = pieces[-1][0][-1:] in set(".!?")
                pieces.append(
                    (
                        self._pick(
                            (" ", " ", "\n") if ended else ("\n", "\n", ". ", ". ", ", ", " ")
                        ),
                        "",
                    )
                )
            if self._rng.random() < 0.12 and number:
                pieces.append((self._part("fillers"), ""))
            else:
                pieces += self._sentence()
        return self._joined(pieces)

    def _sentence(self) -> list[tuple[str, str]]:
        template = self._chosen(self._pick(self._templates))
        if self._rng.random() < 0.3 and template[:1].islower():
            template = template[0].upper() + template[1:]
        if self._rng.random() < 0.25 and template.endswith("."):
            template = template[:-1]
        used: dict[str, list[str]] = {}
        pieces: list[tuple[str, str]] = []
        at = 0
        style = self._rng.random()
        for slot in _SLOT.finditer(template):
            pieces.append((self._noisy(template[at : slot.start()]), ""))
            made = self._makers[slot[1]]()
            again = used.setdefault(slot[1], [])
            if again and slot[1] == "first" and self._rng.random() < 0.4:
                made = self._pick(again)
            again.append(made)
            kind = _KINDS.get(slot[1], "")
            if kind and style < 0.12:  # a name in small letters among capitals
                made = made.lower()
            if kind and style > 0.97:
                made = made.upper()
            pieces.append((made, kind))
            at = slot.end()
        pieces.append((self._noisy(template[at:]), ""))
        return pieces

    def _joined(self, pieces: list[tuple[str, str]]) -> Example:
        text = ""
        spans: list[Span] = []
        for piece, kind in pieces:
            if kind:
                spans.append(Span(len(text), len(text) + len(piece), (kind,)))
            text += piece
        return Example(text, tuple(spans), frozenset(), "templates")

    def _noisy(self, text: str) -> str:
        """The text with a typo, now and then."""
        if len(text) < 8 or self._rng.random() > 0.05:
            return text
        at = self._rng.randrange(1, len(text) - 2)
        match self._rng.randrange(4):
            case 0:
                return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
            case 1:
                return text[:at] + text[at + 1 :] if text[at].isalpha() else text
            case 2:
                return text.replace("'", "")
            case _:
                return text[:at] + text[at] + text[at:] if text[at].isalpha() else text

    def _chosen(self, template: str) -> str:
        while found := _CHOICE.search(template):
            template = (
                template[: found.start()]
                + self._pick(found[1].split("|"))
                + template[found.end() :]
            )
        return re.sub(r"  +", " ", template).strip()

    # --------------------------------------------------------------------------------------------
    # names

    def _pick(self, entries: list[str] | tuple[str, ...]) -> str:
        return self._rng.choice(entries)

    def _part(self, section: str) -> str:
        return self._pick(parts()[section])

    def _filled(self, pattern: str) -> str:
        return _SLOT.sub(lambda slot: self._makers[slot[1]](), pattern)

    def _first(self) -> str:
        return self._pick(given())

    def _person(self) -> str:
        draw = self._rng.random()
        if draw < 0.45:
            return self._first()
        if draw < 0.9:
            return f"{self._first()} {self._pick(surnames())}"
        if draw < 0.93:
            return f"{self._first()} {self._rng.choice('ABCDEFGHJKLMNPRSTVW')}."
        if draw < 0.96:
            return f"{self._first()} {self._first()} {self._pick(surnames())}"
        if draw < 0.98:
            return f"{self._first()}-{self._first()}"
        return f"{self._first()} {self._pick(surnames())}-{self._pick(surnames())}"

    def _organization(self) -> str:
        draw = self._rng.random()
        if draw < 0.35:
            return self._pick(listed("organization"))
        if draw < 0.6:
            return f"{self._part('company first')} {self._part('company second')}"
        if draw < 0.7:
            return self._part("company first")
        if draw < 0.8:
            return self._part("coined first") + self._part("coined second")
        if draw < 0.87:
            return f"{self._part('company first')} {self._part('company end')}"
        if draw < 0.9:
            return "".join(self._rng.choices("ABCDEFGHIKLMNOPRSTUVW", k=self._rng.randint(2, 4)))
        return self._filled(self._part("institutions"))

    def _place(self) -> str:
        draw = self._rng.random()
        if draw < 0.4:
            return self._pick(listed("place"))
        return self._part("more places") if draw < 0.82 else self._filled(self._part("place kinds"))

    def _word(self) -> str:
        return self._part("code words")

    def _project(self) -> str:
        made = self._project_bare()
        draw = self._rng.random()
        if draw < 0.3:
            return (
                f"{'project' if draw < 0.06 else 'Project'} {self._word() if draw < 0.2 else made}"
            )
        return made

    def _project_bare(self) -> str:
        draw = self._rng.random()
        if draw < 0.3:
            return self._word()
        if draw < 0.42:
            return f"{self._part('code adjectives')} {self._word()}"
        if draw < 0.62:
            return f"{self._part('efforts first')} {self._part('efforts second')}"
        if draw < 0.82:
            return self._part("camel first") + self._cased(self._part("camel second"))
        if draw < 0.88:
            return self._part("coined first") + self._part("coined second")
        if draw < 0.92:
            return f"{self._word()} {self._rng.choice(('2', '2.0', 'v2', 'Next', 'X', 'Mobile', 'Lite', 'NG'))}"
        return self._repository()

    def _cased(self, word: str) -> str:
        return word if self._rng.random() < 0.7 else word.lower()

    def _repository(self) -> str:
        word = self._pick(
            (self._word(), self._part("efforts first"), self._part("camel first"))
        ).lower()
        return f"{word.replace(' ', '-')}-{self._part('repo ends')}"

    def _technology(self) -> str:
        return (
            self._pick(listed("technology"))
            if self._rng.random() < 0.6
            else self._part("more technologies")
        )

    def _product(self) -> str:
        draw = self._rng.random()
        if draw < 0.4:
            return self._pick(listed("product"))
        if draw < 0.75:
            return self._part("more products")
        made = f"{self._part('product first')} {self._part('product second')}"
        return made if draw < 0.9 else f"{made} {self._rng.randint(2, 15)}"

    def _campaign(self) -> str:
        if self._rng.random() < 0.4:
            return self._part("campaign first")
        return f"{self._part('campaign first')} {self._part('campaign second')}"

    def _ticket(self) -> str:
        letters = "".join(self._rng.choices("ABCDEFGIKLMNOPRSTUX", k=self._rng.randint(2, 4)))
        draw = self._rng.random()
        number = self._rng.randint(3, 4999)
        return f"{letters}-{number}" if draw < 0.8 else f"#{number}"
