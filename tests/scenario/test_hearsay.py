"""What a user passes on of somebody else is kept as theirs, from the message to the prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from factbook import Memory

pytestmark = pytest.mark.model


def test_hearsay_never_overrides_what_the_user_states_and_is_shown_as_hearsay(
    tmp_path: Path,
) -> None:
    with Memory.open(str(tmp_path / "m.db"), background=False).within("ada") as memory:
        memory.remember("The deadline for Project Falcon is 30 June 2026.")
        memory.wait()
        memory.remember(
            "Tom says that the deadline for Project Falcon is 15 July 2026 and that Priya works at Globex."
        )
        memory.wait()
        falcon = memory.get("Project Falcon")
        said = {(each.value, each.source.standing, each.source.speaker) for each in falcon.facts}
        assert said == {("2026-06-30", "user", ""), ("2026-07-15", "hearsay", "Tom")}
        assert [each.attribute for each in falcon.conflicts] == ["deadline"]
        assert "works at Globex, Tom says" in str(
            memory.recall("where does Priya work?", budget=200)
        )
