"""Finding whom a name means among many: `python -m bench candidates --entities 1000000`.

Makes that many persons, organizations and things up in a SQLite file, their names spread as in life
(a few given names and surnames are everywhere, most are rare), corrupts names drawn from them, and
asks for candidates on the way that learning does. Names are entered in bulk by the store's own
indexing of names.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bench.report import Bar, Table, percentile, report
from bench.scale import resident
from factbook.store import open_store
from factbook.store.sqlite.words.name_index import index_names_again
from factbook.text.word_lists import load_lines
from factbook.views.name_bearers import bearers

SPACE = "ada"
SEED = 11
QUESTIONS = 2000
BAR_RECALL, BAR_CANDIDATES, BAR_MEDIAN_MS, BAR_P95_MS = 0.95, 100, 5.0, 50.0

_ONSETS = "b br c ch d dr f fl g gr h j k kl l m n p pr r s sch sh sl st t th tr v w z".split()
_VOWELS = "a e i o u a e i o ai ee ie ou ar er or an en in on al el".split()
_ENDS = "n r s t l m d ck rt nd ll son berg man ski ton ley field ford ova ez ini".split()
_FORMS = "Inc GmbH Ltd LLC AG Corp".split()
_TRADES = (
    "Robotics Logistics Foods Energy Systems Labs Partners Analytics Bank Media Health Motors Textiles Software "
    "Insurance Travel Optics Timber Marine Studios Networks Capital Ceramics Bakery Instruments"
).split()
_THINGS = (
    "Dashboard Pipeline Gateway Migration Launch Survey Festival Bridge Library Portal Service Index Report Archive "
    "Engine Planner Tracker Station Valley Harbour Review"
).split()
_MARKS = str.maketrans({"a": "á", "e": "é", "o": "ö", "u": "ü", "i": "í", "n": "ñ", "c": "ç"})


def main(argv: list[str]) -> int:
    """Makes the names, asks, and reports; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench candidates", description=__doc__)
    parser.add_argument(
        "--entities", type=int, default=1_000_000, help="how many there are (%(default)s)"
    )
    parser.add_argument(
        "--db", type=Path, help="keep the file here, and don't make again what it holds already"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    asked = parser.parse_args(argv)
    with _file(asked.db) as path:
        made = _made(path, asked.entities)
        runs = _ask(path, asked.entities)
        size = sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))
    table = Table(
        title="Candidates by corruption", columns=["corruption", "asked", "recall", "median", "p95"]
    )
    for sort in dict.fromkeys(each[0] for each in runs):
        some = [each for each in runs if each[0] == sort]
        sizes = [each[2] for each in some]
        table.add(sort, len(some), _share(some), percentile(sizes, 50), percentile(sizes, 95))
    cost = Table(title="Cost", columns=["what", "figure", "unit"])
    if made:
        cost.add("indexing names", made * 1e6 / asked.entities, "µs a name")
    cost.add("file", size / 1e6, "MB")
    cost.add("resident memory", resident(), "MB")
    times, sizes = [each[3] for each in runs], [each[2] for each in runs]
    bars = [
        Bar(name="recall", value=_share(runs), limit=BAR_RECALL, sign="≥"),
        Bar(name="candidates, median", value=percentile(sizes, 50), limit=BAR_CANDIDATES),
        Bar(name="median", value=percentile(times, 50), limit=BAR_MEDIAN_MS, unit="ms"),
        Bar(name="p95", value=percentile(times, 95), limit=BAR_P95_MS, unit="ms"),
    ]
    return report([table, cost], bars, as_json=asked.json, entities=asked.entities)


Run = tuple[str, bool, int, float]
"""What was done to the name, whether the right one was found, how many were, and milliseconds."""


def _share(runs: list[Run]) -> float:
    return sum(each[1] for each in runs) / max(1, len(runs))


@contextmanager
def _file(path: Path | None) -> Generator[Path]:
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "candidates.db"


# --- names ----------------------------------------------------------------------------------------


class Names:
    """Made-up names, the same for a seed."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"{seed}/words")
        known = [line.split()[0] for line in load_lines("text/nicknames")]
        self.short = {line.split()[0]: line.split()[1:] for line in load_lines("text/nicknames")}
        self.given = [*known, *_words(rng, 3000)]
        self.surnames = _words(rng, 60_000)
        self.words = _words(rng, 30_000)
        rng.shuffle(self.given)

    def of(self, seed: int, number: int) -> tuple[str, str]:
        """(name, kind) of one entity."""
        rng = random.Random(f"{seed}/{number}")
        sort = rng.random()
        if sort < 0.65:
            given = _often(rng, self.given)
            middle = f" {_often(rng, self.given).title()}" if rng.random() < 0.1 else ""
            return f"{given.title()}{middle} {_often(rng, self.surnames).title()}", "person"
        word = _often(rng, self.words).title()
        if sort < 0.85:
            form = f" {rng.choice(_FORMS)}" if rng.random() < 0.5 else ""
            more = f" {_often(rng, self.words).title()}" if rng.random() < 0.6 else ""
            return f"{word}{more} {rng.choice(_TRADES)}{form}", "organization"
        more = f" {_often(rng, self.words).title()}" if rng.random() < 0.8 else ""
        return f"{word}{more} {rng.choice(_THINGS)}", "project"


def _words(rng: random.Random, count: int) -> list[str]:
    out: dict[str, None] = {}
    while len(out) < count:
        syllables = rng.choice((1, 1, 2, 2, 3))
        word = "".join(
            rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(syllables)
        ) + rng.choice(_ENDS)
        if len(word) > 3:
            out[word] = None
    return list(out)


def _often(rng: random.Random, words: list[str]) -> str:
    """One of the words, spread as surnames are: the first ten have some 6 in a hundred, the first
    thousand some 35.
    """
    how = rng.random()
    if how < 0.3:
        return words[min(int(len(words) ** rng.random()), len(words)) - 1]
    return words[rng.randrange(len(words) // 30 if how < 0.5 else len(words))]


# --- corruptions ----------------------------------------------------------------------------------


def _typo(rng: random.Random, name: str, _: Names) -> str:
    places = [at for at, letter in enumerate(name) if letter.isalpha()]
    at = rng.choice(places)
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    how = rng.randrange(4)
    if how == 0:
        return name[:at] + name[at + 1 :]
    if how == 1:
        return name[:at] + letter + name[at:]
    if how == 2 or at + 1 >= len(name):
        return name[:at] + letter + name[at + 1 :]
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def _turned(rng: random.Random, name: str, _: Names) -> str:
    first, *others = name.split()
    return f"{' '.join(others)}, {first}" if rng.random() < 0.5 else f"{' '.join(others)} {first}"


def _initial(_: random.Random, name: str, __: Names) -> str:
    first, *others = name.split()
    return f"{first[0]}. {' '.join(others)}"


def _nickname(rng: random.Random, name: str, names: Names) -> str:
    first, *others = name.split()
    return " ".join([rng.choice(names.short[first.lower()]).title(), *others])


def _joined(rng: random.Random, name: str, _: Names) -> str:
    return name.replace(" ", rng.choice(("", "-", "_")))


def _marked(rng: random.Random, name: str, _: Names) -> str:
    places = [at for at, letter in enumerate(name) if letter.translate(_MARKS) != letter]
    for at in rng.sample(places, min(2, len(places))):
        name = name[:at] + name[at].translate(_MARKS) + name[at + 1 :]
    return name


def _form(rng: random.Random, name: str, _: Names) -> str:
    last = name.rsplit(maxsplit=1)[-1]
    return name.removesuffix(f" {last}") if last in _FORMS else f"{name} {rng.choice(_FORMS)}"


CORRUPTIONS: Mapping[str, tuple[Callable[[random.Random, str, Names], str], frozenset[str]]] = {
    "typo": (_typo, frozenset({"person", "organization", "project"})),
    "two typos": (
        lambda rng, name, names: _typo(rng, _typo(rng, name, names), names),
        frozenset({"person", "project"}),
    ),
    "order": (_turned, frozenset({"person"})),
    "initial": (_initial, frozenset({"person"})),
    "nickname": (_nickname, frozenset({"person"})),
    "joined": (_joined, frozenset({"person", "organization", "project"})),
    "marks": (_marked, frozenset({"person", "organization", "project"})),
    "legal form": (_form, frozenset({"organization"})),
    "typo and order": (
        lambda rng, name, names: _turned(rng, _typo(rng, name, names), names),
        frozenset({"person"}),
    ),
}
"""What is done to a name, and the kinds of which."""


def corrupted(rng: random.Random, names: Names, entities: int) -> tuple[str, str, str]:
    """(what was done, the entity's id, the name as it is asked for); every corruption equally
    often.
    """
    sort = rng.choice(list(CORRUPTIONS))
    change, kinds = CORRUPTIONS[sort]
    while True:
        number = rng.randrange(entities)
        name, kind = names.of(SEED, number)
        if kind not in kinds or (sort == "nickname" and name.split()[0].lower() not in names.short):
            continue
        if (spelt := change(rng, name, names)) != name:
            return sort, f"e{number}", spelt


# --- loading and asking ---------------------------------------------------------------------------


def _made(path: Path, entities: int) -> float:
    """Seconds that it took to index the names; 0 if they were there."""
    store = open_store(str(path))
    with store.snapshot() as snapshot:
        held = snapshot.stats(SPACE)["entities"]
    store.close()
    if held == entities:
        return 0.0
    if held:
        raise SystemExit(f"{path} holds {held:,} entities; remove it, or ask for as many")
    names = Names(SEED)
    con = sqlite3.connect(path, isolation_level=None)
    con.execute("PRAGMA cache_size = -400000")
    con.execute("BEGIN IMMEDIATE")
    con.execute("INSERT INTO spaces (no, name, version) VALUES (1, ?, 1)", (SPACE,))
    rows = ((number, *names.of(SEED, number)) for number in range(entities))
    con.executemany(
        "INSERT INTO entities (no, space_no, id, name, kind, label, description, importance, version, created_at,"
        " updated_at, source_standing, source_speaker, source_session, source_project, source_episode_id,"
        " source_message_id, source_position, source_quote, source_grain) VALUES"
        " (?1 + 1, 1, 'e' || ?1, ?2, ?3, '', '', 0.5, 1, ?1, ?1, 'user', '', '', '', '', '', 0, '', 'instant')",
        rows,
    )
    con.execute("INSERT INTO listed SELECT 1, id, kind, created_at FROM entities")
    con.execute(
        "INSERT INTO bearers (no, space_no, record_id, is_primary, entity_id, name, created_at)"
        " SELECT no, 1, id, 1, id, name, created_at FROM entities"
    )
    began = time.perf_counter()
    index_names_again(con)
    seconds = time.perf_counter() - began
    con.execute("COMMIT")
    con.close()
    return seconds


def _ask(path: Path, entities: int) -> list[Run]:
    rng = random.Random(f"{SEED}/questions")
    names = Names(SEED)
    asked = [corrupted(rng, names, entities) for _ in range(QUESTIONS)]
    runs: list[Run] = []
    store = open_store(str(path))
    for sort, wanted, spelt in asked:
        with store.snapshot() as snapshot:
            began = time.perf_counter()
            found = bearers(snapshot, SPACE, spelt)
            runs.append((sort, wanted in found, len(found), 1000 * (time.perf_counter() - began)))
    store.close()
    frequency = Counter(run[0] for run in runs)
    return sorted(runs, key=lambda run: -frequency[run[0]])
