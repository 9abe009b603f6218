"""Folded names, and the keys under which their bearers are found."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.text.host_ids import is_host_id
from factbook.text.names import (
    LONGEST_NAME,
    MOST_KEYS,
    clean_name,
    content_words,
    find_acronyms,
    fold,
    fold_digraphs,
    has_unspaced,
    joined_name,
    name_keys,
    usual_name,
)
from factbook.text.nicknames import (
    formal_names,
    is_known_given,
    is_known_name,
    same_given,
    share_formal,
)
from factbook.text.phonetic import metaphone


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Zoë  Brontë", "zoe bronte"),
        ("ＡＣＭＥ", "acme"),
        ("Łukasz Đorđe Kjær", "lukasz dorde kjaer"),
        ("İzmir ışık Straße", "izmir isik strasse"),
        ("Sean O’Hara", "sean ohara"),
        ("Jean-Luc – Moreau", "jean luc moreau"),
        ("J.R.R. Tolkien", "j r r tolkien"),
        ("U.S.", "u s"),
        ("Smith & Sons, Inc.", "smith and sons inc"),
        ("The Acme Foundation", "acme foundation"),
        ("The", "the"),
        ("the ", "the"),
        ("C++", "c++"),
        ("C#", "c#"),
        (".NET", ".net"),
        ("Node.js", "node.js"),
        ("v1.2.", "v1.2"),
        ("#atlas", "atlas"),
        ("ticket #4821", "ticket 4821"),
        ("Acme Cloud™", "acme cloud"),
        ("payments_api", "payments api"),
        ("Ada\u200b\u202e L\u00adovelace\x00", "ada lovelace"),
        ("Иванов й", "иванов й"),
        ("パパ", "パパ"),
        ("🚀", "🚀"),
        ("...", "..."),
        ("\u200b", ""),
        ("", ""),
    ],
)
def test_spellings_of_one_name_fold_to_one_form(name: str, folded: str) -> None:
    assert fold(name) == folded


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("パパ", "ハハ"),
        ("Ива й", "Ива и"),
        ("v1.2", "v12"),
        ("C#", "C++"),
        ("C", "C#"),
        ("王伟", "王薇"),
        (".NET", "NET"),
    ],
)
def test_what_tells_two_names_apart_stays(left: str, right: str) -> None:
    assert fold(left) != fold(right)
    assert joined_name(left) != joined_name(right)


def test_umlauts_have_a_second_spelling() -> None:
    assert fold_digraphs("Jürgen Köhler") == fold_digraphs("Juergen Koehler") == "juergen koehler"
    assert set(name_keys("Jürgen Köhler")) & set(name_keys("Juergen Koehler"))


def test_identifiers_and_words_are_joined_alike_but_numbers_stay_apart() -> None:
    assert (
        joined_name("payments_api")
        == joined_name("payments API")
        == joined_name("paymentsAPI")
        == "paymentsapi"
    )
    assert joined_name("Node.js") == joined_name("NodeJS")
    assert len({joined_name("Atlas 1 2"), joined_name("Atlas 12"), joined_name("Atlas 1.23")}) == 3


def test_content_leaves_out_what_does_not_name() -> None:
    assert content_words(fold("Dr. Helen Osei")) == ["helen", "osei"]
    assert content_words(fold("The Bank of Acme Inc.")) == ["bank", "acme"]
    assert content_words(fold("Project Atlas")) == ["atlas"]
    assert content_words("project") == ["project"]


def test_acronyms_are_found_both_ways() -> None:
    assert find_acronyms("WBC") == ["wbc"]
    assert find_acronyms("U.S.A.") == ["usa"]
    assert find_acronyms("World Baking Council") == ["wbc"]
    assert find_acronyms("Department of Trade and Industry") == ["dti", "dotai"]
    assert find_acronyms("Acme Inc") == []
    assert find_acronyms("Ada Lovelace") == []


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Bill Carter", "William Carter"),
        ("Osei, Helen", "Helen Osei"),
        ("World Baking Council", "WBC"),
        ("Project Atlas", "atlas"),
        ("postgres", "PostgreSQL"),
        ("Priya", "Priya Raman"),
        ("Bill", "William Carter"),
        ("Mel", "Melanie"),
        ("Kathrine Blom", "Katherine Blom"),
        ("Konstantinopel", "Konstantinnopel"),
        ("auth-service", "AuthService"),
        ("Łódź", "lodz"),
    ],
)
def test_names_that_may_be_one_share_a_key(left: str, right: str) -> None:
    assert set(name_keys(left)) & set(name_keys(right))


def test_the_first_key_is_the_folded_name() -> None:
    assert name_keys("Zoë Brontë")[0] == "f:zoe bronte"
    assert name_keys("\u200b") == ()


def test_a_name_of_ten_thousand_letters_is_kept_short_and_apart_from_its_like() -> None:
    long, longer = "Ada " * 2500, "Ada " * 2501
    assert len(fold(long)) <= LONGEST_NAME + 20
    assert fold(long) != fold(longer)
    assert all(len(key) < 2 * LONGEST_NAME for key in name_keys(long) + name_keys("x" * 10_000))


@given(st.text(max_size=80).filter(lambda name: not is_host_id(name)))
def test_folding_is_stable_and_keys_are_few(name: str) -> None:
    folded = fold(name)
    assert fold(clean_name(name)) == folded
    keys = name_keys(name)
    assert len(keys) <= MOST_KEYS
    assert len(set(keys)) == len(keys)
    assert all(unicodedata.category(letter) not in ("Cc", "Cf") for key in keys for letter in key)


@given(st.text(alphabet=st.characters(categories=["L", "N", "Zs"]), max_size=40))
def test_folding_twice_is_folding_once(name: str) -> None:
    assert fold(fold(name)) == fold(name)


def test_scripts_without_spaces_are_told() -> None:
    assert has_unspaced("李娜")
    assert not has_unspaced("Иван")
    assert not has_unspaced("Ivan")


def test_curated_names_lead_to_the_usual_one() -> None:
    assert usual_name("k8s", "technology") == usual_name("Kubernetes", "product") == "kubernetes"
    assert usual_name("USA", "place") == usual_name("United States", "place")
    assert usual_name("Blorp", "place") == "blorp"


def test_short_forms_of_given_names() -> None:
    assert same_given("bill", "william")
    assert same_given("william", "bill")
    assert not same_given("bill", "robert")
    assert share_formal("bob", "rob")
    assert formal_names("alex") == {"alexander", "alexandra"}
    assert is_known_given("william")
    assert is_known_name("gonzalez")
    assert not is_known_name("blorp")


@pytest.mark.parametrize(
    ("left", "right"),
    [("katherine", "kathrine"), ("philip", "filip"), ("knight", "night"), ("xaver", "saver")],
)
def test_words_that_sound_alike_have_one_sound(left: str, right: str) -> None:
    assert metaphone(left) == metaphone(right)
