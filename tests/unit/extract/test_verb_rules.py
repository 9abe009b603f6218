"""Relations that verbs and prepositions say. A sentence, and the relations that are found in it."""

from __future__ import annotations

import pytest

from tests.support.drafts import draft, read

pytestmark = pytest.mark.model

SAID = [
    # means
    ("we're sticking with Hetzner", "self uses Hetzner"),
    ("I use Neovim for Go and VS Code for Java.", "self uses Neovim; self uses VS Code"),
    ("everything runs on Kubernetes now", "self uses Kubernetes"),
    ("I wrote the crawler in Rust.", "self created crawler; crawler uses Rust"),
    ("we moved off Jenkins in March", "not self uses Jenkins until 2024-03; self used Jenkins until 2024-03"),
    ("We switched away from Jenkins.", "not self uses Jenkins; self used Jenkins"),
    ("We ditched Jira.", "not self uses Jira; self used Jira"),
    ("FastAPI replaced Flask in auth-service.", "auth-service uses FastAPI; not auth-service uses Flask; auth-service used Flask; FastAPI replaced Flask"),
    ("We replaced Jenkins with Buildkite.", "Buildkite replaced Jenkins; self uses Buildkite; not self uses Jenkins; self used Jenkins"),
    ("Terraform replaced our old Ansible scripts.", "Terraform replaced Ansible"),
    ("The crawler depends on nothing but SQLite.", "crawler depends_on SQLite"),
    ("auth-service is built with Django and its hosted on Hetzner", "auth-service uses Django; auth-service uses Hetzner"),
    ("Our backend runs on Postgres and is deployed to Fly.io.", "backend uses Postgres; backend uses Fly.io"),
    # wholes, places, organizations
    ("The crawler is part of Project Falcon.", "crawler part_of Project Falcon"),
    ("Initrode Labs is a subsidiary of Globex.", "Initrode Labs part_of Globex"),
    ("Globex is our biggest competitor.", "Globex competes_with self"),
    ("Globex partners with Initrode Labs.", "Globex partners_with Initrode Labs"),
    ("Globex opened a new office in Bergen.", "Globex located_in Bergen"),
    ("Globex's headquarters are in Bergen.", "Globex located_in Bergen"),
    ("Ana works at a bakery in Ghent.", "Ana works_at bakery; bakery located_in Ghent"),
    ("Globex, acquired by Initrode Labs in 2020, makes robots.", "Initrode Labs acquired Globex since 2020"),
    # people and what they do together
    ("Ana and Tom are working together on the parser.", "Ana works_with Tom; Ana works_on parser; Tom works_on parser"),
    ("i'm working on the parser with tom", "self works_on parser; tom works_on parser; self works_with tom"),
    ("Ana founded Initrode Labs together with Tom in 2015.", "Ana founded Initrode Labs since 2015; Tom founded Initrode Labs since 2015"),
    ("The design workshop was attended by Ana, Tom and Wei.", "Ana attended design workshop; Tom attended design workshop; Wei attended design workshop"),
    ("Helena mentors two interns, Ana and Tom.", "Helena mentors Ana; Helena mentors Tom"),
    ("Tom took over auth-service from Ana in March.", "not Ana owns auth-service until 2024-03; Tom owns auth-service since 2024-03"),
    ("Ana is responsible for the migration.", "Ana responsible_for migration"),
    ("Ana is in charge of billing.", "Ana responsible_for billing"),
    ("im on the platform team", "self member_of platform team"),
    ("Tom manages the Android team.", "Tom manages Android team"),
    ("Ana plays the drums and her friend Tom plays bass.", "Tom friend_of Ana; Ana plays drums; Tom plays bass"),
    ("I met Wei from Globex.", "Wei works_at Globex; self met Wei"),
    ("I was at Globex for six years.", "self worked_at Globex"),
    ("I live with my friend Tom in Bergen.", "Tom friend_of self; self roommate_of Tom; self lives_in Bergen; Tom lives_in Bergen"),
    ("The parser was written by Tom, a contractor who used to work at Globex.", "Tom created parser; not Tom works_at Globex; Tom worked_at Globex"),
    # what people make and judge
    ("Ana wrote the release checklist.", "Ana created release checklist"),
    ("Tom fixed our fence.", "Tom fixed fence"),
    ("We've rejected the offer from Globex.", "self rejected offer"),
    ("The exporter was written by Wei and reviewed by Ana.", "Wei created exporter; Ana reviewed exporter"),
    ("Tom handed Project Falcon over to Ana.", "Ana owns Project Falcon"),
    ("Project Falcon was handed over to Ana in March.", "Ana owns Project Falcon since 2024-03"),
    ("Ana inherited the checkout team from Tom.", "not Tom leads checkout team; Tom led checkout team; Ana leads checkout team"),
    ("We had lunch with Tom.", "self met Tom"),
    ("auth-service is built on top of Postgres.", "auth-service uses Postgres"),
    ("The release is blocked on INFRA-231.", "INFRA-231 blocks release"),
    ("Lena filed it as INFRA-231.", "Lena created INFRA-231"),
    ("Ana works on nitrogen uptake.", "Ana works_on nitrogen uptake"),
    ("Ana works under Helena.", "Ana reports_to Helena"),
    ("My flatmate Ana studies medicine at Leiden University.", "Ana roommate_of self; Ana studies_at Leiden University"),
    ("I live in Norway but not in Oslo.", "self lives_in Norway"),
    ("Ana, whose brother lives in Oslo, moved to Bergen.", "Ana lives_in Bergen"),
    ("We moved away from Oslo in 2019.", "not self lives_in Oslo until 2019; self lived_in Oslo until 2019"),
    ("Globex and Initrode Labs compete with each other.", "Globex competes_with Initrode Labs"),
    ("Ana likes Oslo and Tom likes Bergen.", "Ana likes Oslo; Tom likes Bergen"),
    ("Flask was replaced with FastAPI.", "FastAPI replaced Flask"),
    ("Tom is at Globex now.", "Tom works_at Globex"),
    ("Ana and I are working on Project Falcon.", "Ana works_on Project Falcon; self works_on Project Falcon"),
    ("I went to a pottery workshop in Ghent.", "self attended pottery workshop; pottery workshop located_in Ghent"),
    ("auth-service uses Redis and orders-service uses Rust. Olga owns both.", "auth-service uses Redis; orders-service uses Rust; Olga owns auth-service; Olga owns orders-service"),
    ("Our ledger runs on Postgres.", "ledger uses Postgres"),
    ("Ana isn't part of the platform team anymore.", "not Ana member_of platform team"),
    # likes
    ("Ana prefers the aisle seat.", "Ana prefers aisle seat"),
    ("Ana likes tea better than coffee.", "Ana prefers tea"),
    ("Tom hates flying.", "Tom dislikes flying"),
    ("Tom can't stand olives.", "Tom dislikes olives"),
    # nobody named
    ("moved to Bergen in March. loving it", "self lives_in Bergen since 2024-03"),
    ("moved to Bergen in March, working at Globex now", "self lives_in Bergen since 2024-03; self works_at Globex"),
    ("Just moved to Lisbon!", "self lives_in Lisbon"),
    ("Finally left Initrode Labs.", "not self works_at Initrode Labs; self worked_at Initrode Labs"),
    ("Fixed INFRA-231 yesterday.", "self fixed INFRA-231"),
    ("met Tom at FOSDEM", "self met Tom; self attended FOSDEM"),
    ("Priya:\n- prefers async reviews\n- moved to Porto in May", "Priya prefers async reviews; Priya lives_in Porto since 2024-05"),
    ("What I did today:\n- fixed INFRA-231", "self fixed INFRA-231"),
    ("auth-service uses Redis and orders-service uses Rust. Both belong to Olga.", "auth-service uses Redis; orders-service uses Rust; Olga owns auth-service; Olga owns orders-service"),
    ("INFRA-231 is waiting on INFRA-200.", "INFRA-200 blocks INFRA-231"),
    ("Sequoia invested in Globex, and Initrode Labs sponsors Project Falcon.", "Sequoia invested_in Globex; Initrode Labs funds Project Falcon"),
    # told on, of whom the sentence before is about
    ("Lena is a nurse. Works at Globex.", "Lena works_at Globex"),
    ("Lena works as a nurse at Globex.", "Lena works_at Globex"),
    ("INFRA-12 was fixed by Tom, reviewed by Lena.", "Tom fixed INFRA-12; Lena reviewed INFRA-12"),
    ("Lena works remotely for Globex.", "Lena works_at Globex"),
    ("INFRA-12 depends on INFRA-13, and both are assigned to Lena.", "INFRA-12 depends_on INFRA-13; INFRA-12 assigned_to Lena; INFRA-13 assigned_to Lena"),
    # what a noun says that a weak verb carries
    ("Lena gave a keynote at FOSDEM.", "Lena attended FOSDEM"),
    ("Lena finished her MSc at Leiden University.", "Lena studied_at Leiden University"),
    ("I took a trip to Rome.", "self visited Rome"),
    ("Globex raised money from Sequoia.", "Sequoia invested_in Globex"),
    ("Lena got hired by Globex.", "Globex hired Lena; Lena works_at Globex"),
    # where things are, and people these days
    ("The retreat is in Lisbon.", "retreat located_in Lisbon"),
    ("My house is in Ghent.", "house located_in Ghent"),
    ("These days I'm in Ghent.", "self lives_in Ghent"),
    ("Lena opened a bakery in Ghent.", "Lena founded bakery; bakery located_in Ghent"),
    ("Lena works at Initrode Labs in Ghent.", "Initrode Labs located_in Ghent; Lena works_at Initrode Labs"),
    # means
    ("We store our invoices in Dropbox.", "self uses Dropbox"),
    ("I work with React and Django.", "self uses React; self uses Django"),
    ("My laptop runs Fedora.", "laptop uses Fedora"),
    ("We're on Slack.", "self uses Slack"),
    ("Tom manages the `checkout-web` team.", "Tom manages checkout-web"),
    # people and their deeds
    ("Tom picked up INFRA-12.", "INFRA-12 assigned_to Tom"),
    ("Stripe bought Globex in 2021.", "Stripe acquired Globex since 2021"),
    ("Globex pays for Project Falcon.", "Globex funds Project Falcon"),
    ("Lena plays tennis with Tom on Sundays.", "Lena plays tennis; Tom plays tennis"),
    ("Lena doesn't enjoy Paris.", "Lena dislikes Paris; not Lena likes Paris"),
    ("Lena goes out with Tom.", "Lena partner_of Tom"),
    ("Tom drives for Globex.", "Tom works_at Globex"),
]  # fmt: skip

NOT_SAID = [
    "Should we move off Jenkins?",
    "We might drop Jira.",
    "Let's switch to Buildkite.",
    "We were going to move off Jenkins.",
    "Replacing Jira with Linear is a bad idea.",
    "Replace Flask with FastAPI in auth-service, please.",
    "I wish we used Kafka.",
    "The exporter should be written in Rust.",
    "If Ana leaves Globex, Tom takes over auth-service.",
    "Never tell them that Ana approved the budget.",
    "Imagine Ana owns auth-service.",
    "Had Ana moved to Oslo, we would know.",
    "Neither Ana nor Tom works at Globex.",
    "Ana could be part of the platform team.",
    "Is Ana responsible for billing?",
    "Ana called. Moved to Oslo last year.",
    "Moving to Oslo would be nice.",
    "Planning to drop Jira next year.",
    "Thinking about moving to Oslo.",
    "I was at Globex yesterday.",
    "Ana wrote the code.",
    "Ana took the train and Tom the bus.",
    "Olga:\n- wants to join the data team",
    "Decisions:\n- moved to Porto",
    "We all drink coffee and everything is fine.",
    "Both are fine.",
    "Globex has a nice office.",
    "I bought milk.",
    "Ana works on weekday mornings.",
    "Tom is at Globex today.",
    "I had coffee and a call.",
    "Olga owns both.",
    "Ana moved on.",
    "Dear Ana, moved the meeting to Oslo.",
    "Told Ana that we might use Kafka.",
    "Notes:\n- prefers tea",
    "Is Lena a nurse? Works at Globex.",
    "Tom wrote some code. Runs on Linux.",
    "Reports to follow.",
    "Lena raised the price from Globex.",
    "Mei started the meeting at Globex.",
    "Lena might get hired by Globex.",
    "Is the venue in Ghent?",
    "The report is in English.",
    "Tom fixed it and Lena reviewed it.",
    "I'd love to take a trip to Rome.",
    "Will Lena give a talk at FOSDEM?",
    "If the retreat is in Lisbon, I'll come.",
    "Maybe Lena works remotely for Globex.",
    "Lena accepted INFRA-12.",
    "Lena opened a bar of chocolate.",
    "Tom runs Kubernetes training.",
    "The hotel is in trouble.",
    "The band is in Berlin this week.",
]


def relations(text: str) -> str:
    return "; ".join(
        line
        for line in read(text).splitlines()
        if ": " not in line.split(" = ")[0] and " = " not in line
    )


@pytest.mark.parametrize(("text", "found"), SAID)
def test_what_a_verb_says_is_found(text: str, found: str) -> None:
    assert relations(text) == found


@pytest.mark.parametrize("text", NOT_SAID)
def test_what_is_not_said_is_not(text: str) -> None:
    assert relations(text) == ""


def test_a_speaker_who_is_not_named_is_mentioned_nowhere() -> None:
    found = draft("I'm Ada Quill. Moved to Bergen in March.")
    assert [(each.label, each.from_ref) for each in found.relations] == [("lives_in", "self")]
    assert not found.dropped
