"""Whether two names are one: what merges, what never does, and what is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from factbook.resolve.name_match import Decision, Named, are_kinds_compatible, decide_names
from factbook.resolve.verdict import judge_misspelling

PAIRS = Path(__file__).parents[4] / "shared" / "data" / "names" / "pairs_dev.tsv"


def judge(kinds: str, left: str, right: str) -> Decision:
    first, _, second = kinds.partition("|")
    return decide_names(Named(name=left, kind=first), Named(name=right, kind=second or first))


@pytest.mark.parametrize(
    ("kinds", "left", "right"),
    [
        ("person", "Zoë Brontë", "Zoe Bronte"),
        ("person", "ada lovelace", "Ada Lovelace"),
        ("person", "Dr. Tom Berger", "Tom Berger"),
        ("person", "Tom Berger, PhD", "Tom Berger"),
        ("person", "Berger, Tom", "Tom Berger"),
        ("person", "Ms Priya Raman", "Priya Raman"),
        ("person", "Bob Fenwick", "Robert Fenwick"),
        ("person", "Kate Lindqvist", "Katherine Lindqvist"),
        ("person", "Mike O'Hara", "Michael O’Hara"),
        ("person", "J.R.R. Tolkien", "JRR Tolkien"),
        ("person", "A. J. Finch", "A.J. Finch"),
        ("person", "Mary-Jane Watson", "Mary Jane Watson"),
        ("person", "Søren Kjær", "Soren Kjaer"),
        ("person", "Søren Kjær", "Soeren Kjaer"),
        ("person", "Jürgen Müller", "Juergen Mueller"),
        ("person", "Đorđe Petrović", "Dorde Petrovic"),
        ("person", "José García", "Jose Garcia"),
        ("person", "ИВАН ПЕТРОВ", "Иван Петров"),
        ("person", "Tom Berger Jr", "Tom Berger, Jr."),
        ("person", "Tom Berger Jr.", "Tom Berger Junior"),
        ("person", 'William "Bill" Carter', "William Carter"),
        ("person", "Ludwig van Beethoven", "ludwig van beethoven"),
        ("person", "Konstantinos Papadopoulos", "Konstantinos Papadopuolos"),
        ("person", "Evangeline Fitzwilliam", "Evangelline Fitzwilliam"),
        ("person", "BERGER Tom", "Tom Berger"),
        ("person", "Ｔｏｍ Ｂｅｒｇｅｒ", "Tom Berger"),
        ("person", "Tom\u00a0Berger", "Tom Berger"),
        ("person", "Tom\u200b Berger", "Tom Berger"),
        ("person", "D'Angelo Russell", "D’Angelo Russell"),
        ("person", "Prof. Dr. Anna Schmidt", "Anna Schmidt"),
        ("person", "Mr. Tom Berger", "Mr Tom Berger"),
        ("organization", "Acme Ltd.", "Acme Limited"),
        ("organization", "Acme, LLC", "Acme LLC"),
        ("organization", "Acme Co.", "Acme Company"),
        ("organization", "Acme", "Acme S.A."),
        ("organization", "Acme", "Acme SE"),
        ("place", "Portland, OR", "Portland, Oregon"),
        ("organization", "Acme B.V.", "Acme BV"),
        ("organization", "The Acme Foundation", "Acme Foundation"),
        ("organization", "Smith & Sons", "Smith and Sons"),
        ("organization", "Federal Bureau of Investigation", "FBI"),
        ("organization", "North Atlantic Treaty Organization", "NATO"),
        ("organization", "Procter & Gamble", "P&G"),
        ("organization", "AT&T", "AT & T"),
        ("organization", "ООО Ромашка", "Ромашка"),
        ("organization", "Acme Intl.", "Acme International"),
        ("organization", "Acme AG", "ACME"),
        ("organization", "Volkswagen", "VW"),
        ("organization", "Hewlett-Packard", "Hewlett Packard"),
        ("place", "Mt. Everest", "Mount Everest"),
        ("place", "Ft. Worth", "Fort Worth"),
        ("place", "São Paulo", "Sao Paulo"),
        ("place", "Zürich", "Zuerich"),
        ("place", "New York City", "NYC"),
        ("place", "United States", "USA"),
        ("place", "the Netherlands", "Netherlands"),
        ("place", "Malmö", "Malmoe"),
        ("place", "Düsseldorf", "Duesseldorf"),
        ("place", "Großenhain", "Grossenhain"),
        ("technology", "JavaScript", "JS"),
        ("technology", "TypeScript", "TS"),
        ("technology", "Vue.js", "VueJS"),
        ("technology", "Golang", "Go"),
        ("technology", "scikit-learn", "sklearn"),
        ("technology", "i18n", "internationalization"),
        ("technology", "VS Code", "Visual Studio Code"),
        ("technology", "MongoDB", "Mongo"),
        ("technology", "GPT-4", "GPT 4"),
        ("technology", "Postgres", "PostgreSQL"),
        ("technology", "C sharp", "C#"),
        ("technology", "Apache Kafka", "Kafka"),
        ("project", "Project Atlas", "Atlas"),
        ("project", "Atlas", "atlas project"),
        ("project", "auth-service", "auth_service"),
        ("project", "authService", "auth-service"),
        ("project", "AuthService", "auth service"),
        ("campaign", "Winter Warmer campaign", "Winter Warmer"),
        ("campaign", "Campaign Winter Warmer", "Winter Warmer"),
        ("metric", "Click-through rate", "CTR"),
        ("event", "World War II", "World War 2"),
        ("product", "iPhone15", "iPhone 15"),
        ("task", "Ticket #4821", "ticket 4821"),
        ("task", "JIRA-123", "JIRA 123"),
        ("product", "Acme Cloud™", "Acme Cloud"),
    ],
)
def test_spellings_of_one_name_merge(kinds: str, left: str, right: str) -> None:
    for decision in (judge(kinds, left, right), judge(kinds, right, left)):
        assert decision.verdict == "merge", decision
        assert decision.evidence
        assert 0.5 < decision.score <= 1


@pytest.mark.parametrize(
    ("kinds", "left", "right"),
    [
        ("person", "Anna Hansen", "Anna Hanson"),
        ("person", "Tom Berger", "Tim Berger"),
        ("person", "Tom Berger", "Tom Bergman"),
        ("person", "Christina Holm", "Christine Holm"),
        ("person", "Alexandra Park", "Alexander Park"),
        ("person", "Daniel Roth", "Danielle Roth"),
        ("person", "Maria Lopez", "Mario Lopez"),
        ("person", "John A. Smith", "John B. Smith"),
        ("person", "J. Smith", "K. Smith"),
        ("person", "Tom Berger Sr.", "Tom Berger Jr."),
        ("person", "Henry VII", "Henry VIII"),
        ("person", "Mr. Kim", "Mrs. Kim"),
        ("person", "Mr. Jan Kim", "Mrs. Jan Kim"),
        ("person", "王伟", "王薇"),
        ("person", "田中", "田村"),
        ("person", "김민수", "김민호"),
        ("person", "Иван Петров", "Иван Петрова"),
        ("person", "Chris Evans", "Chris Evert"),
        ("person", "Michael Jordan", "Michael B. Jordan"),
        ("person", "Johannes Andersen", "Johannes Anderson"),
        ("person", "Rodriguez, Ana", "Rodrigues, Ana"),
        ("person", "Wei Chen", "Chen Wei"),
        ("person", "Priya", "Priya Raman"),
        ("person", "Raman", "Priya Raman"),
        ("person", "J. Hartley", "James Hartley"),
        ("person", "J. Hartley", "Jane Hartley"),
        ("person", "Jim Bo", "John Bo"),
        ("person", "Ali Khan", "Alia Khan"),
        ("person", "Sam Stone", "Samuel Samantha Stone"),
        ("person", "Will King", "Bill King"),
        ("person", "Jean Moreau", "Jean-Luc Moreau"),
        ("person", "Katherine Moss", "Katharine Moss"),
        ("person", "Philip Marsh", "Phillips Marsh"),
        ("person", "María López", "María López García"),
        ("person", "Van Morrison", "Morrison"),
        ("person", "Tom Berger (Sales)", "Tom Berger (Legal)"),
        ("organization", "Acme Inc", "Apex Inc"),
        ("organization", "Acme Foods", "Acme Food Trucks"),
        ("organization", "University of Miami", "Miami University"),
        ("organization", "First Bank", "Second Bank"),
        ("organization", "Globex UK", "Globex US"),
        ("organization", "The Who", "WHO"),
        ("organization", "Acme 1", "Acme 2"),
        ("organization", "3M", "5M"),
        ("organization", "Delta Air Lines", "Delta Faucet"),
        ("organization", "Bank of China", "Bank of India"),
        ("organization", "Initech East", "Initech West"),
        ("organization", "Acme Inc", "Acme GmbH"),
        ("organization", "Stanford", "Stanford University"),
        ("place", "Springfield, Illinois", "Springfield, Ohio"),
        ("place", "Springfield, IL", "Springfield, MA"),
        ("place", "Portland, Oregon", "Portland, Maine"),
        ("place", "New York", "New Jersey"),
        ("place", "West Virginia", "Virginia"),
        ("place", "Austria", "Australia"),
        ("place", "Iran", "Iraq"),
        ("place", "Niger", "Nigeria"),
        ("place", "Slovakia", "Slovenia"),
        ("place", "Georgia", "Georgia (country)"),
        ("place", "Mali", "Malta"),
        ("place", "East Timor", "West Timor"),
        ("place", "Guinea", "Guinea-Bissau"),
        ("technology", "C", "C++"),
        ("technology", "C", "C#"),
        ("technology", "Vue 2", "Vue 3"),
        ("technology", "Angular", "AngularJS"),
        ("technology", "GPT-3", "GPT-4"),
        ("technology", "GPT-4", "GPT-4o"),
        ("technology", "Next.js", "Nest.js"),
        ("technology", "Kafka", "Kafka Streams"),
        ("technology", "TensorFlow", "TensorFlow Lite"),
        ("technology", "Python 3.1", "Python 3.11"),
        ("technology", "v1.2", "v12"),
        ("technology", "PostgreSQL 14", "PostgreSQL 15"),
        ("technology", "MySQL", "NoSQL"),
        ("technology", "RabbitMQ", "ZeroMQ"),
        ("technology", ".NET Core", ".NET Framework"),
        ("technology", "Redis", "Redux"),
        ("technology", "Spark", "Spanner"),
        ("project", "Atlas", "Atlas 2"),
        ("project", "Atlas 2.0", "Atlas 2.1"),
        ("project", "Project X", "Project Y"),
        ("project", "Phoenix", "Phoenix Reloaded"),
        ("project", "atlas-api", "atlas-app"),
        ("project", "Project Atlas", "Project Atlas Mobile"),
        ("campaign", "Black Friday 2023", "Black Friday 2024"),
        ("campaign", "Black Friday", "Cyber Monday"),
        ("campaign", "Prospecting DE", "Prospecting AT"),
        ("campaign", "Test 1A", "Test 1B"),
        ("campaign", "Q3 Launch", "Q4 Launch"),
        ("campaign", "Prospecting SE", "Prospecting CO"),
        ("other", "Prospecting SE", "Prospecting CO"),
        ("other", "Prospecting SE", "Prospecting"),
        ("campaign", "retargeting de", "retargeting at"),
        ("metric", "CPA mobile", "CPA"),
        ("campaign", "Summer Sale", "Summer Sale US"),
        ("metric", "CPA Facebook", "CPA Google"),
        ("metric", "MRR", "ARR"),
        ("metric", "CTR", "CVR"),
        ("metric", "weekly active users", "monthly active users"),
        ("product", "Galaxy S22", "Galaxy S23"),
        ("product", "Galaxy S22", "Galaxy S22 Ultra"),
        ("product", "Surface Pro", "Surface Go"),
        ("product", "Model S", "Model X"),
        ("product", "Windows 10", "Windows 11"),
        ("product", "PlayStation", "PlayStation 5"),
        ("task", "PR 101", "PR 110"),
        ("task", "JIRA-123", "JIRA-132"),
        ("task", "Issue 7", "Issue 17"),
        ("event", "DevCon 2024", "DevCon 2025"),
        ("person|place", "Austin", "Austin"),
        ("person|project", "Ada", "Ada"),
        ("organization|place", "Paris", "Paris"),
        ("organization|project", "Apollo", "Apollo"),
        ("technology|place", "Java", "Java"),
        ("product|organization", "Oracle", "Oracle"),
        ("concept", "Supervised learning", "Unsupervised learning"),
        ("concept", "inductive reasoning", "deductive reasoning"),
        ("organization", "Stationery Depot", "Stationary Depot"),
    ],
)
def test_names_that_only_look_alike_never_merge(kinds: str, left: str, right: str) -> None:
    first, _, second = kinds.partition("|")
    for decision in (judge(kinds, left, right), judge(f"{second or first}|{first}", right, left)):
        assert decision.verdict != "merge", decision
        assert decision.evidence


def person(name: str) -> Named:
    return Named(name=name, kind="person")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("J. Hartley", "James Hartley"),
        ("Ada Byron", "Ada Mary Byron"),
        ("Priya", "Priya Raman"),
        ("Dr. Raman", "Priya Raman"),
        ("Bob King", "Rob King"),
        ("Wei Chen", "Chen Wei"),
        ("Ludwig van Beek", "Ludwig Beek"),
        ("J. M. Stone", "J. Marie Stone"),
        ("María López", "María López García"),
        ("Evangelina Fitz", "Evangeline Fitz"),
        ("AMB", "Ada Mary Byron"),
        ("Tom Berger (Sales)", "Tom Berger"),
        ("Anneliesa Fitzwarren", "Anneliese Fitzwarrenn"),
        ("Bill Q. Carter", "William Carter"),
    ],
)
def test_a_person_in_doubt_is_asked_about_or_left(left: str, right: str) -> None:
    assert decide_names(person(left), person(right)).verdict in ("ask", "separate")


def test_a_single_name_links_only_among_the_same_people() -> None:
    short, full = person("Priya"), person("Priya Raman")
    assert decide_names(short, full, together=True).verdict == "merge"
    assert decide_names(person("Bill"), person("William Carter"), together=True).verdict == "merge"
    assert decide_names(person("Mel"), person("Melanie"), together=True).verdict == "merge"
    assert decide_names(person("Mel"), person("Melanie")).verdict == "ask"
    assert decide_names(person("Mel"), person("Omar")).verdict == "separate"
    assert decide_names(short, full, together=True, rivals=1).verdict == "ask"
    assert decide_names(short, full, together=False).verdict == "ask"
    assert decide_names(short, short).verdict == "merge"
    assert decide_names(short, short, together=False).verdict == "ask"
    assert decide_names(short, short, rivals=1).verdict == "ask"
    assert decide_names(person("Dr. Osei"), person("Osei")).verdict == "merge"


def test_odd_names_are_decided_too() -> None:
    assert decide_names(person(""), person("")).verdict == "merge"
    assert decide_names(person("Dr."), person("Tom")).verdict == "separate"
    assert judge("organization", "Acme (Inc)", "Acme & Co").verdict == "ask"
    assert judge("organization", "Acme, Inc.", "Acme (Ohio)").verdict == "ask"
    assert judge("project", "計画", "計画二").verdict == "separate"
    assert judge("person", "x" * 10_000, "x" * 9_999).verdict == "separate"


def test_a_rival_makes_a_short_form_or_an_acronym_a_question() -> None:
    assert decide_names(person("Bill Carter"), person("William Carter"), rivals=1).verdict == "ask"
    council, short = (
        Named(name="World Baking Council", kind="organization"),
        Named(name="WBC", kind="organization"),
    )
    assert decide_names(council, short).verdict == "merge"
    assert decide_names(council, short, rivals=1).verdict == "ask"


def test_what_someone_recorded_and_kinds_stand_before_names() -> None:
    tom = person("Tom Berger")
    assert decide_names(tom, tom, must_not_link=True).verdict == "separate"
    assert decide_names(tom, Named(name="Tom Berger", kind="place")).verdict == "separate"
    assert decide_names(tom, Named(name="Tom Berger")).verdict == "merge"
    assert decide_names(person("Bill Carter"), Named(name="William Carter")).verdict == "ask"
    assert are_kinds_compatible("", "person")


def test_kinds_that_readers_confuse_are_asked_about_if_the_name_is_equal() -> None:
    def near(left: str, right: str, name: str = "Oracle") -> str:
        return decide_names(Named(name="Oracle", kind=left), Named(name=name, kind=right)).verdict

    assert near("technology", "product") == "merge"
    assert near("organization", "product") == "ask"
    assert near("organization", "product", "Orakle") == "separate"
    assert near("animal", "person") == near("work", "product") == "ask"
    assert near("animal", "organization") == near("work", "person") == "separate"


def test_a_kind_written_before_it_was_built_in_is_the_built_in_one() -> None:
    assert are_kinds_compatible("book", "work")
    assert are_kinds_compatible("dog", "animal")
    assert not are_kinds_compatible("dog", "work")


def test_attributes_that_identify_decide_what_names_leave_open() -> None:
    short, full = person("J. Hartley"), person("James Hartley")
    assert decide_names(short, full, agree=["email"]).verdict == "merge"
    assert decide_names(short, full, agree=["email"], differ=["phone"]).verdict == "ask"
    assert decide_names(full, full, differ=["email"]).verdict == "ask"
    assert "email" in decide_names(full, full, differ=["email"]).evidence[-1]


@pytest.mark.parametrize(
    ("kind", "left", "right"),
    [
        ("organization", "Acme", "Acme Europe"),
        ("organization", "Acme Inc", "Acme GmbH"),
        ("organization", "Miami University", "University of Miami"),
        ("organization", "General Baking", "GB"),
        ("place", "Springfield", "Springfield, Ohio"),
        ("other", "Project Borealis", "Borealis campaign"),
        ("organization", "Acmee Robotics", "Acme Robotics Ltd"),
        ("organization", "Globexia", "Globexio"),
    ],
)
def test_a_thing_in_doubt_is_asked_about(kind: str, left: str, right: str) -> None:
    assert judge(kind, left, right).verdict in ("ask", "separate")


def test_a_misspelling_is_one_edit_within_a_long_word_that_sounds_the_same() -> None:
    assert judge_misspelling("borealiss", "borealis") == "ask"
    assert judge_misspelling("infrastructure", "infrastucture") == "ask"
    assert judge_misspelling("konstantin", "konstanttin") == "merge"
    assert judge_misspelling("kubernetes", "kubernetse") == "merge"
    assert judge_misspelling("acme", "acne") == "separate"
    assert judge_misspelling("same", "same") == "separate"
    assert judge_misspelling("gonzalez", "gonzales") == "separate"
    assert judge_misspelling("иванов", "иваноф") == "separate"
    assert judge("project", "Konstantin", "Konstanttin").verdict == "merge"
    assert judge("project", "Konstantin (old)", "Konstanttin").verdict == "ask"


def test_no_pair_of_the_development_set_is_wrongly_merged_and_nearly_all_of_one_thing_are() -> None:
    if not PAIRS.exists():
        pytest.skip("the development pairs are not beside this checkout")
    rows = [
        line.split("\t")
        for line in PAIRS.read_text().splitlines()
        if line and not line.startswith("#")
    ]
    merged = {"same": 0, "different": 0}
    for verdict, kinds, left, right, _ in rows:
        merged[verdict] += judge(kinds, left, right).verdict == "merge"
    assert merged["different"] == 0
    assert merged["same"] >= 29
