"""What is said of the names: relations, facts, times, truth. A sentence, and what is found in it
beside the names.
"""

from __future__ import annotations

import pytest

from factbook.extract.local.rules.vocabulary import LABELS, PLAIN, SENSES
from tests.support.drafts import compact, draft, read

pytestmark = pytest.mark.model

RELATIONS = [
    # verbs, their prepositions and their ends
    ("I work at Globex and report to Helena Brandt.", "self works_at Globex; self reports_to Helena Brandt"),
    ("i live in berlin and work for siemens", "self lives_in berlin; self works_at siemens"),
    ("Ravi leads Project Falcon.", "Ravi leads Project Falcon"),
    ("Helena Brandt, who runs the platform team, is away.", "Helena Brandt leads platform team"),
    ("Wei and Olga are working on the Falcon service.", "Wei works_on Falcon; Olga works_on Falcon"),
    ("we use django and postgres at work", "self uses django; self uses postgres"),
    ("The billing-service runs on Kubernetes.", "billing-service uses Kubernetes"),
    ("The billing-service depends on redis and the fraud engine.", "billing-service depends_on redis; billing-service depends_on fraud engine"),
    ("Globex acquired Initrode Labs.", "Globex acquired Initrode Labs"),
    ("We met Kofi Mensah.", "self met Kofi Mensah"),
    ("I visited Rome.", "self visited Rome"),
    ("I was born in Krakow and grew up in Vienna.", "self born_in Krakow; self comes_from Vienna"),
    ("Lena plays the piano and chess.", "Lena plays piano; Lena plays chess"),
    ("I love dark chocolate and Lisbon.", "self likes dark chocolate; self likes Lisbon"),
    ("Tom prefers tea.", "Tom prefers tea"),
    ("Priya published Falcon Notes.", "Priya publish Falcon Notes"),
    # passives, participles, relative clauses
    ("The Falcon service is owned by Priya Raman.", "Priya Raman owns Falcon"),
    ("payments-api was written in Go by Wei Lin.", "payments-api uses Go; Wei Lin created payments-api"),
    ("Project Falcon is written in Rust and deployed on Kubernetes.", "Project Falcon uses Rust; Project Falcon uses Kubernetes"),
    ("INFRA-231 is blocked by the database migration.", "database migration blocks INFRA-231"),
    ("The service that Ana built is called auth-service.", ""),
    ("I know the designer who left Globex.", ""),
    ("Our CTO, Marta Nowak, approved the budget for Project Falcon.", "Marta Nowak approved budget for Project Falcon"),
    ("Project Falcon is used at Globex.", ""),
    ("Ana was given a laptop by Tom.", ""),
    ("Ana met Ana.", ""),
    ("I ran the test again.", ""),
    ("I love things.", ""),
    ("Ravi leads the other team.", "Ravi leads team"),
    ("Ana works at a bakery, I work at home.", "Ana works_at bakery"),
    # kin, roles, employers
    ("My sister Ana lives in Oslo.", "Ana sibling_of self; Ana lives_in Oslo"),
    ("my manager is tom", "self reports_to tom"),
    ("Tom is my manager.", "self reports_to Tom"),
    ("My brother Leo and his wife Carla live in Porto.", "Leo sibling_of self; Carla spouse_of Leo; Leo lives_in Porto; Carla lives_in Porto"),
    ("Carla's manager is Jonas.", "Carla reports_to Jonas"),
    ("My sister's name is Ana.", "Ana sibling_of self"),
    ("a friend of mine named Kofi called", "Kofi friend_of self"),
    ("Ana and Tom are married.", "Ana spouse_of Tom"),
    ("I'm friends with Wei.", "self friend_of Wei"),
    ("my wife sofia is from brazil", "sofia spouse_of self; sofia comes_from brazil"),
    ("Last week my girlfriend, Toby, and I went hiking.", ""),
    ("My dog Biscuit is asleep, and Ana has a cat named Luna.", "self has_pet Biscuit; Ana has_pet Luna"),
    ("Dana Lee is the CEO of Globex.", "Dana Lee works_at Globex"),
    ("Kofi, the founder of Sankofa Labs, is here.", "Kofi founded Sankofa Labs"),
    ("Globex's CEO Dana Lee called.", "Dana Lee works_at Globex"),
    ("Ravi is the lead of Project Falcon.", "Ravi leads Project Falcon"),
    ("We call it Project Falcon, owner is Jonas Weber.", "Jonas Weber owns Project Falcon"),
    ("Dave from Globex and Wei from Porto called.", "Dave works_at Globex; Wei comes_from Porto"),
    ("I run growth marketing at Northwood Labs in Rotterdam.", "Northwood Labs located_in Rotterdam; self works_at Northwood Labs"),
    ("Fernly Labs, a Lisbon startup, is based in Portugal.", "Fernly Labs located_in Lisbon; Fernly Labs located_in Portugal"),
    ("Globex hired Ana as a designer.", "Globex hired Ana"),
    ("As far as I know, Tom works as a chef at Globex.", "Tom works_at Globex"),
    ("Tom was the CEO of Globex until 2020.", "Tom worked_at Globex until 2020"),
    ("Tom, the former CEO of Globex, is here.", "Tom worked_at Globex"),
    ("Tom isn't my manager.", "not self reports_to Tom"),
    ("Wei is the creator of auth-service.", "Wei created auth-service"),
    ("Priya is a backend engineer on Project Falcon.", "Priya works_on Project Falcon"),
    ("Fernly Labs is a startup in Lisbon.", "Fernly Labs located_in Lisbon"),
    ("Fernly Labs is a company based in Lisbon.", "Fernly Labs located_in Lisbon"),
    ("Can you ask my sister Ana?", "Ana sibling_of self"),
    ("We have a dog and a cat named Luna.", "self has_pet Luna"),
    ("Ana's dog Rex barks.", "Ana has_pet Rex"),
    ("Tom and Ana saw my cat Luna and the dog Rex.", "self has_pet Luna"),
    ("Karl joined Globex as VP of Sales.", "Karl works_at Globex"),
    # what takes the place of what
    ("Priya moved from Initrode Labs to Globex Inc. last month.", "Priya works_at Globex Inc. since 2024-04; not Priya works_at Initrode Labs until 2024-04; Priya worked_at Initrode Labs until 2024-04"),
    ("We moved from Oslo to Bergen in 2022.", "self lives_in Bergen since 2022; not self lives_in Oslo until 2022; self lived_in Oslo until 2022"),
    ("We switched from RabbitMQ to Kafka for the orders pipeline.", "orders pipeline uses Kafka; not orders pipeline uses RabbitMQ"),
    ("I left Globex in March.", "not self works_at Globex until 2024-03; self worked_at Globex until 2024-03"),
    ("Tom quit his job at Globex.", "not Tom works_at Globex; Tom worked_at Globex"),
    ("We moved to Bergen last year.", "self lives_in Bergen since 2023"),
    ("I left Globex for Initrode Labs.", "not self works_at Globex; self worked_at Globex; self works_at Initrode Labs"),
    ("Project Falcon moves to PostgreSQL.", "Project Falcon uses PostgreSQL"),
    ("We moved to the attic.", ""),
    ("Ana moved to the billing team.", "Ana moved_to billing team"),
    ("Ana joined a jazz band.", "Ana member_of jazz band"),
    ("Paul replaced Nina in May.", "Paul replaced Nina since 2024-05"),
]  # fmt: skip

TRUTH = [
    ("Does Priya still work at Globex?", ""),
    ("is tom at globex now", ""),
    ("Where does Priya live in Oslo", ""),
    ("If Priya joins Globex, we will need help.", ""),
    ("I think Priya works at Globex.", ""),
    ("Maybe Priya works at Globex.", ""),
    ("Priya might work at Globex.", ""),
    ("Priya wants to work at Globex.", ""),
    ("I'd like to visit Rome.", ""),
    ('She said "I work at Globex" and laughed.', ""),
    ("Ask Tom to review Project Falcon.", ""),
    ("I never visited Rome.", ""),
    ("Is Tom our CTO?", ""),
    ("Is Tom the CEO of Globex?", ""),
    ("I hope to visit Rome and to live in Oslo.", ""),
    ("Who works at Globex?", ""),
    ("I told you that I work at Globex.", "self works_at Globex"),
    ("I started to use Neovim.", "self uses Neovim"),
    ("I love living in Oslo.", "self lives_in Oslo"),
    ("I don't work at Globex.", "not self works_at Globex"),
    ("I don't like Java.", "self dislikes Java; not self likes Java"),
    (
        "Tom Berger no longer works at Globex.",
        "not Tom Berger works_at Globex; Tom Berger worked_at Globex",
    ),
    ("We don't use Jenkins anymore.", "not self uses Jenkins; self used Jenkins"),
    ("We stopped using Jenkins.", "not self uses Jenkins; self used Jenkins"),
    ("I used to live in Berlin.", "not self lives_in Berlin; self lived_in Berlin"),
]

TIMES = [
    ("I have worked at Globex since March 2021.", "self works_at Globex since 2021-03"),
    ("I work at Globex from July on.", "self works_at Globex since 2024-07"),
    ("I work at Globex from April on.", "self works_at Globex since 2024-04"),
    ("I've been living in Oslo for three years.", "self lives_in Oslo since 2021"),
    ("Ravi leads Project Falcon until June 2025.", "Ravi leads Project Falcon until 2025-06"),
    ("I worked at Globex from 2015 to 2018.", "self worked_at Globex since 2015 until 2019"),
    ("I worked at Globex between 2015 and 2018.", "self worked_at Globex since 2015 until 2019"),
    ("I worked at Globex through 2018.", "self worked_at Globex until 2019"),
    ("I live in Oslo and worked at Globex in 2019.", "self lives_in Oslo; self worked_at Globex since 2019 until 2020"),
    ("As of May 2023 I live in Oslo.", "self lives_in Oslo since 2023-05"),
    ("I visited Rome before 2019.", "self visited Rome"),
    ("I know Ana, on Monday too.", "self knows Ana"),
    ("I lived in Berlin in 2019.", "self lived_in Berlin since 2019 until 2020"),
    ("Ravi will lead Project Falcon starting next Monday.", "Ravi leads Project Falcon since 2024-05-20"),
    ("Ana works at Globex starting in April.", "Ana works_at Globex since 2024-04"),
    ("I visited Rome last summer.", "self visited Rome since 2023"),
    ("Ana lives in Oslo and Tom worked at Globex in 2019.", "Ana lives_in Oslo; Tom worked_at Globex since 2019 until 2020"),
    ("Karl joined Globex in 2019.", "Karl works_at Globex since 2019"),
]  # fmt: skip

FACTS = [
    ("I'm 34 and my birthday is May 5th.", "self.age = 34; self.birthday = 5 May"),
    ("I'm 5 minutes away.", ""),
    ("My daughter Mia is 7 years old.", "Mia.age = 7"),
    ("Ana turned 30 yesterday.", "Ana.age = 30"),
    ("Ana was born on 3 July 1990.", "Ana.birthday = 3 July 1990"),
    ("I was born in 1990.", "self.birth_year = 1990"),
    ("I'm allergic to peanuts and shellfish.", "self.allergies = peanuts; self.allergies = shellfish"),
    ("I'm not allergic to cats.", "not self.allergies = cats"),
    ("I am vegetarian.", "self.diet = vegetarian"),
    ("Maria is German and speaks Spanish and French.", "Maria.nationality = German; Maria.languages = Spanish; Maria.languages = French"),
    ("I love hiking in the Alps.", "self.likes = hiking in the Alps"),
    ("I love watching them.", ""),
    ("I hate waiting in line.", "self.dislikes = waiting in line"),
    ("I have two kids and a dog.", "self.children = two kids; self.pets = dog"),
    ("My favorite color is green, my favourite editor is Neovim.", "self.favorite_color = green; self.favorite_editor = Neovim"),
    ("My hobbies are chess and climbing.", "self.hobbies = chess; self.hobbies = climbing"),
    ("My email is ada@example.org.", "self.email = ada@example.org"),
    ("Tom is a senior data engineer.", "Tom.role = senior data engineer"),
    ("Anna became head of marketing at Globex.", "Anna.role = head of marketing"),
    ("I work at Globex as a data engineer.", "self.role = data engineer"),
    ("Nina isn't our designer anymore.", "not Nina.role = designer"),
    ("Tom was our designer until March.", "Tom.role = designer until 2024-03"),
    ("I'm no writer.", "not self.role = writer"),
    ("Project Falcon is on hold.", "Project Falcon.status = on hold"),
    ("Project Falcon is done.", "Project Falcon.status = done"),
    ("The deadline for Project Falcon is next Friday.", "Project Falcon.deadline = 2024-05-24"),
    ("Project Falcon's deadline is 30 June and its budget is $120k.", "Project Falcon.deadline = 2024-06-30; Project Falcon.budget = $120k"),
    ("Project Falcon is due in June.", "Project Falcon.deadline = June"),
    ("auth-service is on version 2.3.1.", "auth-service.version = 2.3.1"),
    ("CTR went up to 4.2%, our MRR is $40k.", "CTR.value = 4.2%; CTR.unit = %; MRR.value = $40k; MRR.unit = $"),
    ("Should CTR hit 5%?", ""),
    ("I'm Ada Quill.", "self.name = Ada Quill"),
    ("My name is Wei, but call me Skip.", "self.name = Wei; self.name = Skip"),
    ("I'm Ana's sister.", ""),
    ("I'm 34 km away.", ""),
    ("My birthday is in May.", ""),
    ("I have no kids, but I have the dog.", ""),
    ("auth-service is at version 2.", "auth-service.version = 2"),
    ("Tom is a great full-stack developer.", "Tom.role = full-stack developer"),
    ("Tom is a Globex developer.", "Tom.role = developer"),
    ("Tom is head of research at Globex.", "Tom.role = head of research"),
    ("Tom was the CEO of Globex.", "not Tom.role = CEO"),
    ("Is Tom, our CTO, here?", "Tom.role = CTO"),
    ("Ivo's owner is Tom.", ""),
    ("My favorite thing is this.", ""),
    ("The status of Project Falcon is red.", "Project Falcon.status = red"),
    ("The budget for Project Falcon is unclear.", ""),
    ("Tom's birthday was on 3 May.", ""),
]  # fmt: skip

REFERENCES = [
    (("Priya lives in Oslo. She works at Globex.",), "Priya lives_in Oslo; Priya works_at Globex"),
    (("Priya met Olga. She works at Globex.",), "Priya met Olga"),
    (("Priya met Tom. She works at Globex.",), "Priya met Tom; Priya works_at Globex"),
    (("Tom is here.", "He works at Globex."), "Tom works_at Globex"),
    (("Priya is here. Her manager is Tom.",), "Priya reports_to Tom"),
    (("Ana is here. Her dog Rex barks.",), "Ana has_pet Rex"),
    (("Ana is here. She sings. She lives in Oslo.",), "Ana lives_in Oslo"),
    (("My aunts know the waitress and the men. She lives in Oslo.",), ""),
    (("Ana, a nurse, saw the actress. She lives in Oslo.",), "Ana.role = nurse"),
    (("My aunt knows Ana.", "She works at Globex."), ""),
    (("Hey Ana, my aunt is here!", "She works at Globex."), ""),
    (("Tom is away.", "Well.", "It rains.", "So what.", "He works at Globex."), ""),
    (("We shipped the Falcon dashboard. Tom approved it.",), "Tom approved Falcon"),
    (("The Falcon service has a bug. Tom fixed it.",), ""),
    (
        (("Ada", "I work at Globex."), ("Tom", "I live in Oslo.")),
        "Ada works_at Globex; Tom lives_in Oslo",
    ),
    ((("Ada", "Tom is here."), ("Tom", "He works at Globex.")), ""),
]


def said(found: str) -> str:
    """The facts and relations of a compact draft, in one line."""
    return "; ".join(
        line for line in found.splitlines() if line and ": " not in line.split(" = ")[0]
    )


@pytest.mark.parametrize(("text", "found"), RELATIONS)
def test_relations(text: str, found: str) -> None:
    lines = [line for line in said(read(text)).split("; ") if " = " not in line]
    assert "; ".join(lines) == found


@pytest.mark.parametrize(("text", "found"), TRUTH)
def test_only_what_is_stated_is_taken(text: str, found: str) -> None:
    assert "; ".join(line for line in said(read(text)).split("; ") if " = " not in line) == found


@pytest.mark.parametrize(("text", "found"), TIMES)
def test_times_are_kept_with_what_they_time(text: str, found: str) -> None:
    assert said(read(text)) == found


@pytest.mark.parametrize(("text", "found"), FACTS)
def test_facts(text: str, found: str) -> None:
    assert "; ".join(line for line in said(read(text)).split("; ") if " = " in line) == found


@pytest.mark.parametrize(("texts", "found"), REFERENCES)
def test_a_pronoun_means_someone_only_where_there_is_one(
    texts: tuple[str, ...], found: str
) -> None:
    assert said(read(*texts)) == found


def test_every_label_of_a_sense_is_documented() -> None:
    labels = {
        label
        for senses in SENSES.values()
        for each in senses
        for label in (each.label, each.past_label)
        if label
    }
    assert labels <= set(LABELS)
    assert {lemma for lemma, preposition in SENSES if not preposition} & PLAIN == set()


def test_what_the_assistant_says_gives_names_only() -> None:
    found = draft(
        "Priya lives in Oslo and works at Globex. You should use Redis.", role="assistant"
    )
    assert [each.name for each in found.entities] == ["Priya", "Oslo", "Globex", "Redis"]
    assert not found.facts
    assert not found.relations
    assert compact(draft("Priya lives in Oslo.", role="tool")) == "person: Priya\nplace: Oslo"
    assert compact(draft("Priya lives in Oslo.", role="system")) == ""
