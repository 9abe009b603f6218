"""An import brings all of an export or nothing, whatever the export lacks and whatever the space
holds.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from factbook import Entity, InputError, Memory, Message
from factbook.errors import StoreError
from tests.scenario.child import Badges
from tests.support.dumps import dumped


@pytest.fixture(params=["ram", "sqlite"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = "ram:" if request.param == "ram" else str(tmp_path / "m.db")
    with Memory.open(url, extractor=Badges(), embedder="none", background=False) as memory:
        yield memory


@pytest.fixture
def ana(host: Memory) -> Memory:
    memory = host.within("ana")
    for number in range(3):
        memory.remember(
            [f"Ana{number} has badge {number}", Message("ok", id=f"m{number}")],
            session=f"s{number}",
        )
        memory.work()
    memory.put(Entity("Ana0", "person", {"badge": "17"}, aliases=["Annie"]))
    memory.relate("Ana0", "knows", "Ana1")
    memory.note("Ana0 is on leave", category="plan")
    memory.merge("Ana1", "Ana2")
    memory.undo()
    return memory


def exported(memory: Memory) -> str:
    text = io.StringIO()
    memory.export(text)
    return text.getvalue()


def all_of(memory: Memory) -> Any:
    with memory._engine.store.snapshot() as snapshot:
        ids = snapshot.episode_ids(memory.space)
        return (
            dumped(memory._engine.store, memory.space),
            snapshot.log(memory.space),
            snapshot.episodes(memory.space, ids),
        )


def refused(memory: Memory, text: str) -> str:
    """The words of the refusal; asserts that the space is as it was."""
    before = all_of(memory)
    with pytest.raises((InputError, StoreError)) as error:
        memory.import_(io.StringIO(text))
    assert all_of(memory) == before
    assert memory._engine.store.check() == []
    return str(error.value)


def test_an_export_goes_into_no_space_that_holds_another_memory(host: Memory, ana: Memory) -> None:
    text = exported(ana)
    bob, eve, dan, kim = (host.within(name) for name in ("bob", "eve", "dan", "kim"))
    bob.put(Entity("Bob", "person"))
    assert "space 'bob' has another history than this export" in refused(bob, text)
    eve.remember("Eve has badge 9")
    assert "space 'eve' holds another memory than this export" in refused(eve, text)
    dan.note("Dan's note")
    only_said = "\n".join(line for line in text.splitlines() if '"commit"' not in line)
    only_said = only_said.replace('"commits": 8', '"commits": 0')
    assert "another memory" in refused(dan, only_said)
    eve.work()
    assert "another history" in refused(eve, text)
    assert kim.import_(io.StringIO(only_said)) == 4


def test_what_an_export_has_that_the_space_lacks_is_added(host: Memory, ana: Memory) -> None:
    first, copy = exported(ana), host.within("copy")
    copy.import_(io.StringIO(first))
    ana.remember("Bo has badge 5")
    ana.work()
    copy.import_(io.StringIO(exported(ana)))
    assert all_of(copy) == all_of(ana)
    assert copy.import_(io.StringIO(first)) == len(first.splitlines())
    assert all_of(copy) == all_of(ana)


def test_an_export_that_is_cut_short_anywhere_brings_nothing(host: Memory, ana: Memory) -> None:
    text, chance, copy = exported(ana), random.Random(4), host.within("copy")
    lines = text.splitlines(keepends=True)
    for count in range(len(lines)):
        refused(copy, "".join(lines[:count]))
        refused(
            copy,
            "".join(lines[:count]) + lines[count][: chance.randrange(1, len(lines[count]) - 2)],
        )
    assert "written with 8 commits and holds 7" in refused(copy, "".join(lines[:-1]))
    assert "commit 2 can't follow version 0" in refused(copy, "".join(lines[:4] + lines[5:]))
    assert "written with 3 episodes and holds 2" in refused(copy, "".join(lines[:1] + lines[2:]))
    assert copy.import_(io.StringIO(text.rstrip("\n"))) == len(lines)
    assert all_of(copy) == all_of(ana)


def test_an_export_of_an_earlier_version_says_not_how_long_it_is(host: Memory, ana: Memory) -> None:
    head, *rest = exported(ana).splitlines()
    older = {
        name: value
        for name, value in json.loads(head).items()
        if name not in ("episodes", "commits")
    }
    assert host.within("copy").import_(
        io.StringIO("\n".join([json.dumps(older), *rest]))
    ) == 1 + len(rest)


def test_a_damaged_export_brings_everything_or_nothing(host: Memory, ana: Memory) -> None:
    lines, chance = exported(ana).splitlines(), random.Random(5)
    taken = 0
    for number in range(250):
        broken, copy = list(lines), host.within(f"copy{number}")
        at = chance.randrange(len(lines))
        parsed = json.loads(lines[at])
        damage(parsed, chance)
        broken[at] = json.dumps(parsed)
        try:
            taken += copy.import_(io.StringIO("\n".join(broken))) == len(lines)
            copy.entities(include_self=True)
            copy.history()
            copy.recall("Ana0 badge")
        except (InputError, StoreError):
            with host._engine.store.snapshot() as snapshot:
                assert (copy.space in snapshot.spaces(), snapshot.version(copy.space)) == (False, 0)
    assert taken < 125
    assert host._engine.store.check() == []


def damage(parsed: Any, chance: random.Random) -> None:
    """Puts something else in place of one value anywhere inside, or takes it out."""
    while True:
        keys = list(parsed) if isinstance(parsed, dict) else list(range(len(parsed)))
        key = chance.choice(keys)
        if isinstance(parsed[key], dict | list) and parsed[key] and chance.random() < 0.8:
            parsed = parsed[key]
            continue
        junk: list[Any] = [
            None,
            5,
            -1,
            1e400,
            2**80,
            "x",
            "\ud800",
            "",
            [],
            {},
            [[]],
            True,
            "9999-99-99",
            {"a": 1},
        ]
        if chance.random() < 0.2:
            del parsed[key]
        else:
            parsed[key] = chance.choice(junk)
        return


def test_an_import_that_the_disk_refuses_leaves_nothing(
    host: Memory, ana: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, copy, commit, times = (
        exported(ana),
        host.within("copy"),
        host._engine.store.commit,
        iter(range(100)),
    )

    def full(*args: Any, **rest: Any) -> int:
        if next(times) == 5:
            raise StoreError("the disk is full")
        return commit(*args, **rest)

    monkeypatch.setattr(host._engine.store, "commit", full)
    assert refused(copy, text) == "the disk is full"


def test_an_export_that_breaks_off_leaves_the_file_that_was_there(
    ana: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, link = tmp_path / "ana.jsonl", tmp_path / "link.jsonl"
    ana.export(target)
    link.symlink_to(target)
    before = target.read_bytes()

    def broken(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(json, "dumps", broken)
        with pytest.raises(InputError, match=r"link\.jsonl can't be written: No space left"):
            ana.export(link)
    assert target.read_bytes() == before
    ana.note("One more")
    ana.export(link)
    assert link.is_symlink()
    assert len(target.read_bytes()) > len(before)
    assert sorted(file.suffix for file in tmp_path.glob("*.jsonl*")) == [".jsonl", ".jsonl"]


def test_only_the_memory_that_was_opened_names_every_space(host: Memory) -> None:
    for name in ("ada", "bob", "team"):
        host.within(name).note(f"{name}'s note")
    assert host.spaces() == ["ada", "bob", "team"]
    assert host.within("ada").spaces() == ["ada"]
    assert host.within("ada", reads=["team", "nobody"]).spaces() == ["ada", "team"]
    assert host.within("nobody").spaces() == []
    assert host.within("default").spaces() == []
