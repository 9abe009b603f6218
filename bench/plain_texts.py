"""Plain English for benches that need real vectors: short statements made from templates, and what
the standard library's modules say of themselves. Seeded, without any file of its own; nothing in it
is about anyone.
"""

from __future__ import annotations

import ast
import random
import re
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_WHO = (
    "I|my sister|my brother|our neighbour|the new manager|my old teacher|the plumber|my dentist|Tom|Priya|Ada|Lena|the "
    "landlord|our team|the choir|a friend from school|my aunt|the coach|her cousin|the children|our guide|the nurse"
).split("|")
_DID = (
    "bought|repaired|sold|painted|forgot about|complained about|wrote about|dreamt of|asked me about|ordered|returned|"
    "photographed|recommended|hid|borrowed|measured|cleaned|broke|inherited|is looking for|cannot stand|is saving for|"
    "cancelled|postponed|finished with|gave up on|learned a lot from|is proud of|was disappointed by|talked all evening about"
).split("|")
_HOW = (
    "old|expensive|tiny|green|second-hand|wooden|noisy|beautiful|broken|heavy|Italian|electric|forgotten|borrowed|famous|"
    "unusual|cheap|antique|leaking|hand-made|portable|rusty|favourite|missing|brand-new"
).split("|")
_WHAT = (
    "bicycle|violin|kitchen table|passport|garden fence|camera|recipe book|winter coat|telescope|washing machine|"
    "fishing boat|novel|tax return|birthday cake|piano lesson|train ticket|salary review|marathon|vaccination|chess "
    "club|wedding speech|greenhouse|software release|beehive|roof|gym membership|mortgage|exam|holiday in Portugal|"
    "camping trip|job interview|pottery course|allergy|knee operation|cat|puppy|parrot|vegetable patch|podcast|old diary|"
    "sailing licence|language course|insurance policy|laptop|headache|concert|film festival|science project|tent|sofa"
).split("|")
_WHEN = (
    "last week|yesterday|before breakfast|in the spring|two years ago|on Monday|during the storm|after the funeral|at "
    "Christmas|while we were in Lisbon|in the middle of the night|on the way to work|when the power went out|this morning|"
    "at the station|near the lake|behind the school|at my grandmother's house|in the office kitchen|on the ferry"
).split("|")
_WHY = (
    "because it was raining|to save money|for the first time|without telling anyone|and was very happy|but regretted it|"
    "since the doctor said so|as a surprise|out of boredom|although nobody helped|to impress the neighbours|and laughed "
    "about it|as the old one had failed|so that we could sleep|and then changed the plan|with far too much glue"
).split("|")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def texts(count: int, seed: int = 7) -> list[str]:
    """So many different texts, half of each sort as long as there are enough; in a seeded order."""
    rng = random.Random(f"{seed}/texts")
    said = list(documented())
    rng.shuffle(said)
    out = dict.fromkeys(said[: count // 2])
    while len(out) < count:
        out[statement(rng)] = None
    shuffled = list(out)
    rng.shuffle(shuffled)
    return shuffled


def statement(rng: random.Random) -> str:
    """One short statement of everyday life."""
    text = f"{rng.choice(_WHO)} {rng.choice(_DID)} the {rng.choice(_HOW)} {rng.choice(_WHAT)}"
    for part in (_WHEN, _WHY):
        if rng.random() < 0.6:
            text += f" {rng.choice(part)}"
    return f"{text[0].upper()}{text[1:]}."


@cache
def documented() -> tuple[str, ...]:
    """The sentences of the standard library's docstrings, each once, as long as a line of talk."""
    found: dict[str, None] = {}
    for file in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if not {"site-packages", "test", "tests", "idlelib"}.isdisjoint(file.parts):
            continue
        for said in _docstrings(file):
            for sentence in _SENTENCE.split(" ".join(said.split())):
                if 6 <= len(sentence.split()) <= 40:
                    found[sentence] = None
    return tuple(found)


def _docstrings(file: Path) -> Iterator[str]:
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (SyntaxError, UnicodeDecodeError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            said = ast.get_docstring(node)
            if said:
                yield said
