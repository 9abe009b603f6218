"""Names of spaces, sessions and projects."""

from __future__ import annotations

import pytest

from factbook.errors import SpaceError
from factbook.model.space import check_label


@pytest.mark.parametrize("name", ["default", "ada", "tenant/42", "Команда", "a b"])
def test_ordinary_names_are_allowed(name: str) -> None:
    assert check_label(name) == name


@pytest.mark.parametrize("name", ["", "x" * 201, "a\nb", "a\u200fb", " ada", "ada ", "a\0b"])
def test_names_that_could_mislead_are_refused(name: str) -> None:
    with pytest.raises(SpaceError):
        check_label(name)


def test_a_session_may_be_empty() -> None:
    assert check_label("", "session") == ""
