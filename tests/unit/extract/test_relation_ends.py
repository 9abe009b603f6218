"""Which kinds of ends a relation links, and what its labels are called else."""

from __future__ import annotations

import pytest

from factbook.extract.local.rules.vocabulary import SENSES
from factbook.extract.relation_ends import fit_label, fits_ends, is_backwards, likely_ends
from factbook.model.relations import LABELS, known_label, names_of_label


def test_what_the_verbs_of_the_local_extractor_link_fits():
    for senses in SENSES.values():
        for sense in senses:
            for left in sense.left:
                for right in sense.right:
                    ends = (right, left) if sense.turned else (left, right)
                    assert fits_ends(sense.label, *ends), (sense.label, *ends)


def test_other_names_of_labels_mean_labels_of_the_vocabulary():
    names = [name for label in LABELS for name in names_of_label(label)]
    assert {known_label(name)[0] for name in names} == set(LABELS)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("works_at", ("works_at", False)),
        ("is_part_of", ("part_of", False)),
        ("employed_by", ("works_at", False)),
        ("employs", ("works_at", True)),
        ("was_founded_by", ("founded", True)),
        ("haunts", ("haunts", False)),
    ],
)
def test_a_label_means_one_of_the_vocabulary_or_itself(written, meant):
    assert known_label(written) == meant


@pytest.mark.parametrize(
    ("label", "left", "right", "found"),
    [
        ("works_at", "person", "organization", ("works_at", False)),
        ("works_at", "organization", "self", ("works_at", True)),
        ("works_at", "person", "task", ("works_on", False)),
        ("located_in", "person", "place", ("lives_in", False)),
        ("reports_to", "project", "person", ("manages", True)),
        ("spouse_of", "place", "organization", None),
        ("works_at", "", "other", ("works_at", False)),
        ("haunts", "place", "person", ("haunts", False)),
        ("uses", "starship", "starship", ("uses", False)),
        ("met", "starship", "person", None),
    ],
)
def test_a_label_links_kinds_that_fit_or_the_next_one_does(label, left, right, found):
    assert fit_label(label, left, right) == found


def test_a_label_tells_the_likely_kinds_of_its_ends():
    assert likely_ends("works_at") == ("person", "organization")
    assert likely_ends("haunts") == ("other", "other")


@pytest.mark.parametrize(
    ("label", "from_user", "quote", "backwards"),
    [
        ("child_of", False, "my son Ivo", False),
        ("child_of", True, "my youngest son Ivo", True),
        ("parent_of", True, "my son Ivo", False),
        ("parent_of", False, "my son Ivo", True),
        ("reports_to", False, "my boss is tom", True),
        ("reports_to", True, "My manager is Tom", False),
        ("manages", True, "our boss, Tom", True),
        ("mentors", True, "my mentor Tom", True),
        ("works_at", False, "my boss Tom", False),
        ("reports_to", False, "Tom reports to me", False),
    ],
)
def test_what_somebody_is_to_the_user_says_which_way_a_relation_runs(
    label, from_user, quote, backwards
):
    assert is_backwards(label, from_user, quote) is backwards
