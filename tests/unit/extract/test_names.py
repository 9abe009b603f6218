"""Names and their kinds, sentence by sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from factbook.extract.local.naming.casing import restore
from factbook.extract.local.naming.speakers import with_speakers
from tests.support.drafts import compact, context, draft, episode, local, read

pytestmark = pytest.mark.model


def names(*said: str) -> str:
    """`name (kind)` of what is named, in order."""
    stated = {"decision", "preference", "pain_point"}
    found = (each for each in draft(*said).entities if not each.phrase and each.kind not in stated)
    return ", ".join(f"{each.name} ({each.kind})" for each in found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # people
        ("Helena Brandt met Kofi Mensah.", "Helena Brandt (person), Kofi Mensah (person)"),
        ("ask lena about it, she knows", "lena (person)"),
        ("my boss anita thinks we should hire omar", "anita (person), omar (person)"),
        ("my wife sofia is away", "sofia (person)"),
        ("Dr. Lee and Prof. Adeyemi are here.", "Lee (person), Adeyemi (person)"),
        ("CEO Dana Lee resigned.", "Dana Lee (person)"),
        ("Hi Sam, thanks for the update! Best, Julia", "Sam (person), Julia (person)"),
        ("Bramo Tesk walked through the plan.", "Bramo Tesk (person)"),
        ("Lovely Ana called.", "Ana (person)"),
        ("the new designer grace wrote it", "grace (person)"),
        ("yesterday jonas klein and priya came by", "jonas klein (person), priya (person)"),
        ("Bryn-ilo Tesk and Anne-Marie called.", "Bryn-ilo Tesk (person), Anne-Marie (person)"),
        (
            "Tom and Kofi saw nat bloro, kim and ian.",
            "Tom (person), Kofi (person), nat bloro (person), kim (person), ian (person)",
        ),
        ("I saw Blorbo's garden.", "Blorbo (person)"),
        ("Don't! Gotta go, Can't stay.", ""),
        ("Harrow High School 5km from here is big.", "Harrow High School (organization)"),
        ("Store is good, and so is the store.", ""),
        # organizations
        ("She works at the Bank of the West.", "Bank of the West (organization)"),
        ("Our client Globex called.", "Globex (organization)"),
        ("dave from acme corp called", "dave (person), acme corp (organization)"),
        ("he works at grey harbor labs", "grey harbor labs (organization)"),
        ("The Oslo Summit was good.", "Oslo Summit (event)"),
        (
            "She works at Globex Inc. and he at Sankofa Labs.",
            "Globex Inc. (organization), Sankofa Labs (organization)",
        ),
        ("dave from blorbo corp called", "dave (person), blorbo corp (organization)"),
        (
            "Peter works for the Ministry of Finance.",
            "Peter (person), Ministry of Finance (organization)",
        ),
        ("I am at St. Olav's Hospital.", "St. Olav's Hospital (organization)"),
        ("she joined northwood labs", "northwood labs (organization)"),
        # places
        ("We live in Utrecht near Baker Street.", "Utrecht (place), Baker Street (place)"),
        ("Lake Borun is a lake in Tervia.", "Lake Borun (place), Tervia (place)"),
        # projects, services, tickets, campaigns
        ("Project Falcon starts soon.", "Project Falcon (project)"),
        ("the falcon project? no, project heron!", "falcon (project), project heron (project)"),
        ("The project manager is away, and so is the project plan.", ""),
        ("The Green Roofs initiative is funded.", "Green Roofs (project)"),
        ("We reviewed the Invoice Matching prototype.", "Invoice Matching (project)"),
        (
            "auth-service and payments_api are down",
            "auth-service (project), payments_api (project)",
        ),
        ("it is a self-service tool with real-time updates", ""),
        ("INFRA-231 blocks OPS-7.", "INFRA-231 (task), OPS-7 (task)"),
        ("COVID-19 and UTF-8 are no tickets", ""),
        ("The Spring Launch campaign is live.", "Spring Launch (campaign)"),
        ("we paused the garden lights campaign", "garden lights (campaign)"),
        ("she fixed the orders pipeline and the customer service", "orders pipeline (project)"),
        # technologies and products
        (
            "We use Postgres 15, C++ and node.js.",
            "Postgres (technology), C++ (technology), node.js (technology)",
        ),
        ("we use django and react", "django (technology), react (technology)"),
        ("Tom and Ana wrote it in rust.", "Tom (person), Ana (person), rust (technology)"),
        ("we moved from stripe to datadog", "stripe (organization), datadog (organization)"),
        ("We launched Falcon 9.", "Falcon 9 (product)"),
        ("I like Python-based tools.", "Python (technology)"),
        ("they react quickly and go home", ""),
        ("My phone is an iPhone 14 Pro.", "iPhone 14 Pro (product)"),
        ("She bought a ThinkPad X9.", "ThinkPad X9 (product)"),
        ('I read "The Night Garden" twice.', "The Night Garden (work)"),
        ("I watched Dune twice, and the novel Piranesi is mine.", "Dune (work), Piranesi (work)"),
        ("My favourite book, Sapiens, is long.", "Sapiens (work)"),
        ("I'm playing Xenoblade, an awesome RPG.", "Xenoblade (work)"),
        # everyday words, in small letters or where a sentence begins
        ("Winning is everything for him. Nature is my joy.", ""),
        ("I'm so stoked, Mel, that art is helping you.", "Mel (person)"),
        ("They made something with clay. Clay is incredible.", ""),
        ("Unconditional love is so important.", ""),
        ("I live 20 min from york", "york (place)"),
        ("Rose sent me the photos.", "Rose (person)"),
        ("Lily is my best friend's daughter.", "Lily (person)"),
        ("Will do! Hope you are well. Mark my words.", ""),
        # lines and cells
        (
            "Attendees: Anna Berg\tTom Ray\tJo Kim",
            "Anna Berg (person), Tom Ray (person), Jo Kim (person)",
        ),
        ("Name | Role | City\nAnna Berg | Plumber | Leeds", "Anna Berg (person), Leeds (place)"),
        ("What's your favourite book, Ana?", "Ana (person)"),
        # animals
        ("My dog Max barks. Max is three.", "Max (animal)"),
        ("We have two cats, Luna and Sol.", "Luna (animal), Sol (animal)"),
        ("We got a puppy, it's called Rex.", "Rex (animal)"),
        ("My cat is called Mochi. She hates Tom.", "Mochi (animal), Tom (person)"),
        ("Rex, my beagle, is 4 years old.", "Rex (animal)"),
        (
            "Ana's cat Mochi likes my friend Oliver.",
            "Ana (person), Mochi (animal), Oliver (person)",
        ),
        ("The Firebase SDK crashes.", "Firebase SDK (technology)"),
        ("ArangoDB is a database.", "ArangoDB (technology)"),
        # metrics
        ("Our CTR is 3% and the churn rate went up to 4.2%.", "CTR (metric), churn rate (metric)"),
        # none at all
        ("Hey! Thanks, see you on Monday at 10am.", ""),
        ("Wow, awesome. Hmm, ok!", ""),
        ("I said it to them yesterday in May.", ""),
        ("The API returns JSON as PDF, says QA.", "JSON (technology)"),
        ("She is German and speaks Spanish.", ""),
        ("", ""),
    ],
)
def test_names_are_found_with_their_kinds(text: str, found: str) -> None:
    assert names(text) == found


def test_a_name_has_one_kind_in_an_episode_and_all_its_mentions() -> None:
    found = draft(
        "Tervo crashed again.", "The Tervo service is old.", "I restarted Tervo."
    ).entities
    assert [[m.message_id for m in each.mentions] for each in found if each.name == "Tervo"] == [
        ["m1", "m2", "m3"]
    ]


def test_a_first_name_is_a_person_where_the_full_name_is_one() -> None:
    assert names("Ivo Tamm joined us.", "I saw Ivo.") == "Ivo Tamm (person), Ivo (person)"


def test_what_the_space_knows_counts() -> None:
    known = local().extract(
        [episode("we shipped nimbus and blue door today, Blorbo too")], context(nimbus="project")
    )[0]
    assert "project: nimbus" in compact(known)
    ctx = context(**{"blue door": "organization", "blorbo": "campaign", "nimbus": "project"})
    known = local().extract([episode("we shipped nimbus and blue door today, Blorbo too")], ctx)[0]
    assert compact(known).startswith("project: nimbus\norganization: blue door\ncampaign: Blorbo")


def test_an_ordinary_word_that_is_known_is_a_name_only_with_its_capital() -> None:
    ctx = context(window="project")
    found = local().extract(
        [episode("Open the window, please."), episode("I work on Window now.", episode_id="f")], ctx
    )
    assert [compact(each) for each in found] == ["", "project: Window\nself works_on Window"]


@pytest.mark.parametrize(
    "text",
    [
        "Ich habe gestern mit Frau Schneider über das neue Projekt in Hamburg gesprochen und den Vertrag unterschrieben.",
        "Je travaille avec Camille Dubois à Lyon depuis trois ans et nous aimons beaucoup cette ville.",
        "Trabajo con Lucía Fernández en Sevilla desde hace tres años y vivimos cerca del río.",
        "Вчера я встретил Ивана Петрова в Москве, он работает в новой компании.",
        "मैं कल दिल्ली में राहुल से मिला था और हमने साथ में खाना खाया।",
        "我昨天在北京见到了王伟,他在一家新公司工作。",
        "أنا أعيش في القاهرة وأعمل مع أحمد.",
    ],
)
def test_other_languages_break_nothing_and_state_nothing(text: str) -> None:
    found = draft(text)
    assert not found.facts
    assert not found.relations


def test_listed_names_are_found_in_other_languages() -> None:
    assert "place: Hamburg" in read(
        "Ich habe gestern mit den Leuten über das neue Haus in Hamburg gesprochen."
    )


def test_a_text_in_capitals_is_not_full_of_names() -> None:
    assert names("I TOLD YOU THAT THE SERVER IS DOWN AND NOBODY CARES ABOUT IT") == ""


@pytest.mark.parametrize(
    ("text", "restored"),
    [
        ("i met priya sharma in new york", "I met Priya Sharma in New York"),
        ("we use postgresql on aws", "we use PostgreSQL on AWS"),
        ("tom said go home", "Tom said go home"),
        ("Already written with Capitals and Ana", "Already written with Capitals and Ana"),
        ("we shipped blue door", "we shipped Blue Door"),
        ("will grace react?", "will grace react?"),
    ],
)
def test_capitals_come_back_where_a_list_says_so(text: str, restored: str) -> None:
    assert restore(text, {"blue door": "organization"}) == restored
    assert len(restored) == len(text)


def test_who_speaks_is_known_by_their_first_name() -> None:
    said = episode("hi all", "can you call will tonight?", "i will, and will said so")
    messages = [
        replace(message, speaker=speaker)
        for message, speaker in zip(said.messages, ("Will O", "Alex C", "Alex C"), strict=True)
    ]
    (found,) = local().extract([replace(said, messages=tuple(messages))], context())
    people = {each.name for each in found.entities if each.kind == "person"}
    assert people == {"Will O", "Alex C", "will"}
    marks = [mention.text for each in found.entities for mention in each.mentions]
    assert marks.count("will") == 2


def test_a_speaker_named_by_a_common_noun_gives_nobody_a_name() -> None:
    assert with_speakers({}, [replace(episode("hi").messages[0], speaker="Support Desk")]) == {
        "support desk": "person"
    }


def test_an_initial_alone_is_no_name() -> None:
    assert names("thanks @Priya N. for the keys") == ""
