"""Attributes as `key=value, key=value`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook import InputError
from factbook.tools.pairs import read_attribute_pairs, write_pairs


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("", {}),
        (" , ,\n", {}),
        ("role=engineer", {"role": "engineer"}),
        ("role=engineer, company=Acme Corp", {"role": "engineer", "company": "Acme Corp"}),
        ("role = engineer ,company= Acme", {"role": "engineer", "company": "Acme"}),
        ("role=engineer\ncompany=Acme\n", {"role": "engineer", "company": "Acme"}),
        (
            'city="Paris, France", formula="a = b, c"',
            {"city": "Paris, France", "formula": "a = b, c"},
        ),
        ("city='Paris, France'", {"city": "Paris, France"}),
        ("city=“Paris, France”", {"city": "Paris, France"}),
        (r'motto="say \"yes\", twice"', {"motto": 'say "yes", twice'}),
        ("formula=a=b", {"formula": "a=b"}),
        ("url=https://example.org/?a=1;b=2", {"url": "https://example.org/?a=1;b=2"}),
        ("nickname='tis, age=4", {"nickname": "'tis", "age": "4"}),
        ('name="Bob" Smith, age=4', {"name": '"Bob" Smith', "age": "4"}),
        ('"full name"=Ada', {"full name": "Ada"}),
        ("skill=python, skill=go, skill=go", {"skill": "python; go"}),
        ("role=engineer, ", {"role": "engineer"}),
        ("notes=likes tea; hates rain", {"notes": "likes tea; hates rain"}),
        ("straße=größer, 役割=技師", {"straße": "größer", "役割": "技師"}),
    ],
)
def test_pairs_are_read(text: str, pairs: dict[str, str]) -> None:
    assert read_attribute_pairs(text) == pairs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("engineer", "a part without '=': 'engineer'"),
        ("city=Paris, France", "a part without '=': 'France'"),
        ("role: engineer", "a part without '='"),
        ("=engineer", "no key before its '='"),
        ("role=", "the attribute 'role' has no value"),
        ('role=""', "the attribute 'role' has no value"),
        ("role=, city=Rome", "the attribute 'role' has no value"),
        ('city="Paris, France', "a quotation in the attributes doesn't end"),
        ("role=engineer; city=Rome", "parted by commas, not semicolons"),
        ("a\nrole=engineer", "a part without '=': 'a'"),
    ],
)
def test_what_is_no_pair_is_refused_with_how_to_write_it(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        read_attribute_pairs(text)
    assert "city=" in str(caught.value) or "key=value" in str(caught.value)


TEXT = (
    st.text(min_size=1)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: text.strip(' "'))
)
KEY = st.text(alphabet="abcdefghij_ ", min_size=1).map(str.strip).filter(bool)


@given(st.dictionaries(KEY, TEXT, max_size=4))
def test_pairs_that_are_written_are_read_back(pairs: dict[str, str]) -> None:
    assert read_attribute_pairs(write_pairs(pairs)) == pairs


@given(st.text(alphabet="ab=,\"' \\\n;“”", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        pairs = read_attribute_pairs(text)
    except InputError:
        return
    assert all(key.strip() and value.strip() for key, value in pairs.items())
