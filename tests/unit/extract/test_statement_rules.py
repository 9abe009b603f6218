"""Decisions, preferences, pain points and tasks in the words that people use; and what only sounds
like them.
"""

from __future__ import annotations

import pytest

from tests.support.drafts import draft, statements

pytestmark = pytest.mark.model

DECISIONS = [
    (
        "Decided in the retro: we move the demo to Thursdays.",
        ["decision: we move the demo to Thursdays"],
    ),
    (
        "quick decision after the sync: no more hotfixes on fridays",
        ["decision: no more hotfixes on fridays"],
    ),
    ("From now on all invoices go through Lena.", ["decision: all invoices go through Lena"]),
    (
        "From now on we write our docs in German, that's settled.",
        ["decision: we write our docs in German"],
    ),
    (
        "we are going to sell the boat, tom and i agreed on it yesterday",
        ["decision: we are going to sell the boat"],
    ),
    (
        "We've booked Lisbon for May, it's decided, no more discussions!",
        ["decision: We've booked Lisbon for May"],
    ),
    ("Made up my mind, I'm buying the blue one.", ["decision: I'm buying the blue one"]),
    (
        "We've turned down the offer from Initrode.",
        ["decision: turned down the offer from Initrode"],
    ),
    (
        "We ruled out a second office because it's too expensive.",
        ["decision: ruled out a second office"],
    ),
    ("We scrapped the redesign.", ["decision: scrapped the redesign"]),
    ("We're using Vite instead of Webpack.", ["decision: using Vite instead of Webpack"]),
    ("sticking with Postgres.", ["decision: sticking with Postgres"]),
    ("We'll stick with Postgres for now.", ["decision: stick with Postgres for now"]),
    ("Let's go with the second draft.", ["decision: go with the second draft"]),
    ("The second draft was picked for the cover.", ["decision: picked for the cover"]),
    ("The board voted for the smaller venue.", ["decision: smaller venue"]),
    ("final call: no alcohol at the party", ["decision: no alcohol at the party"]),
    ("We won't renew the Zendesk contract.", ["decision: won't renew the Zendesk contract"]),
    ("We're dropping support for IE11.", ["decision: dropping support for IE11"]),
    ("I've made the decision to quit smoking.", ["decision: quit smoking"]),
    ("It's official, we are moving to Ghent!", ["decision: we are moving to Ghent"]),
    ("We are switching to four-day weeks.", ["decision: switching to four-day weeks"]),
    ("We're dropping the kids at school, she made a good call.", []),
    ("Let's go with the kids to the zoo.", []),
    ("We dropped the kids at school, I dropped the plate.", []),
    ("Is it decided? It's not settled yet.", []),
    ("I hope that's settled soon.", []),
    ("We might go with Vite instead of Webpack.", []),
    ("Should we stick with Postgres?", []),
    ("You should use Vite instead of Webpack.", []),
    ("From now on?", []),
    ("I'm sticking to my workout routine.", []),
]

PREFERENCES = [
    ("i like tea better than coffee", ["preference: i like tea better than coffee"]),
    (
        "Mornings are better for me than evenings.",
        ["preference: Mornings are better for me than evenings"],
    ),
    ("Calls work best for me before noon.", ["preference: Calls work best for me before noon"]),
    ("Tom loves olives but hates okra.", ["preference: hates okra"]),
    ("My girlfriend Lena hates flying.", ["preference: hates flying"]),
    ("Lena won't touch mushrooms.", ["preference: won't touch mushrooms"]),
    ("I'm not a fan of surprises.", ["preference: not a fan of surprises"]),
    ("I don't like long calls.", ["preference: don't like long calls"]),
    ("From now on, please answer in German.", ["preference: answer in German"]),
    ("Keep it short, please.", ["preference: Keep it short"]),
    ("No emojis please.", ["preference: No emojis"]),
    ("I hate not being on the court.", ["preference: hate not being on the court"]),
    ("I used to hate cilantro.", []),
    ("I don't like Tom, I don't like it.", []),
    ("Just keep their area clean and make sure they get enough light.", []),
    ("He's my biggest fan of all.", []),
    ("Coffee is better than tea.", []),
    ("That's better for me to know.", []),
    ("Keep the door closed and don't use the elevator.", []),
]

PAIN_POINTS = [
    ("The wifi drops every ten minutes.", ["pain_point: wifi drops every ten minutes"]),
    ("The export fails whenever two people edit it, super annoying.", ["pain_point: export fails whenever two people edit it"]),
    ("The build broke again and I'm really tired of it.", ["pain_point: build broke again"]),
    ("jira is so slow that I dread opening it", ["pain_point: jira is so slow that I dread opening it"]),
    ("The portal is painfully slow.", ["pain_point: portal is painfully slow"]),
    ("Everyone in support hates the new form, it takes ten clicks.", ["pain_point: Everyone in support hates the new form"]),
    ("the noise here is killing me", ["pain_point: noise here is killing me"]),
    ("This form drives me crazy.", ["pain_point: This form drives me crazy"]),
    ("our landlord still hasn't fixed the heating. i've had it.", ["pain_point: our landlord still hasn't fixed the heating"]),
    ("Never again Globex Air. Four hours delay.", ["pain_point: Never again Globex Air"]),
    ("Not so happy about the snails, they ate my salad.", ["pain_point: Not so happy about the snails"]),
    ("My back hurts after every ride. So frustrating.", ["pain_point: My back hurts after every ride"]),
    ("the bank lost our papers twice, what a mess", ["pain_point: bank lost our papers twice"]),
    ("wish we lived in Rome, the heat here is killing me", ["pain_point: heat here is killing me"]),
    ("I'm sick of these meetings.", ["pain_point: I'm sick of these meetings"]),
    ("The printer is acting up again.", ["pain_point: printer is acting up again"]),
    ("Support never answers.", ["pain_point: Support never answers"]),
    ("The new UI is a nightmare.", ["pain_point: new UI is a nightmare"]),
    ("Onboarding takes way too long.", ["pain_point: Onboarding takes way too long"]),
    ("The login page is down again.", ["pain_point: login page is down again"]),
    ("The trains are always late, it drives me nuts.", ["pain_point: trains are always late"]),
    ("The movie was horrible, he grew up again.", []),
    ("Tom says the wifi drops every ten minutes.", []),
    ("Does the wifi drop every ten minutes?", []),
    ("The leaves drop every autumn, my train stops every morning at Oslo.", []),
    ("She dies again in the next episode.", []),
    ("It's driving me to the airport.", []),
    ("I'm not tired of it at all, this never gets on my nerves.", []),
    ("I still haven't finished the book.", []),
    ("It takes forever to grow a tree.", []),
    ("It was frustrating, but I learned a lot.", []),
    ("Never again will I doubt you.", []),
]  # fmt: skip

TASKS = [
    ("I promised Lena the new slides by Thursday.", ["task: new slides by Thursday"]),
    (
        "tom will send the revised quote to globex tomorrow.",
        ["task: send the revised quote to globex tomorrow"],
    ),
    ("Helena will set up the tenant next week.", ["task: set up the tenant next week"]),
    ("I'll get the contract to Lena by EOD.", ["task: get the contract to Lena by EOD"]),
    ("i'll fix them tonight", ["task: fix them tonight"]),
    ("I'm sending the contract tomorrow.", ["task: sending the contract tomorrow"]),
    (
        "Lena will bake the cake and Tom will do the salad.",
        ["task: bake the cake", "task: do the salad"],
    ),
    ("I'll be sending the draft to Omar on Monday.", ["task: sending the draft to Omar on Monday"]),
    ("Need to renew my passport before August.", ["task: renew my passport before August"]),
    ("Omar has to finish the report by Friday.", ["task: finish the report by Friday"]),
    ("Rita offered to host the next meetup.", ["task: host the next meetup"]),
    ("TODO: update the README", ["task: update the README"]),
    ("Don't forget to water my plants.", ["task: water my plants"]),
    ("I owe Rita a full answer by Monday.", ["task: full answer by Monday"]),
    ("We're offering workshops next month.", []),
    ("I owe Rita 50 euros and an apology.", []),
    ("Don't forget to smile!", []),
    ("I started going to boot camps last month.", []),
    ("He will send the letter tomorrow, I guess.", []),
    ("Tom will send the slides if Lena asks.", []),
    ("Will Tom send the slides tomorrow?", []),
    ("The sun will set at nine, Lena will be happy to help.", []),
    ("Lena said she will book the room.", []),
    ("You promised me the slides, I never promised Lena the notes.", []),
    ("I'm sending you love.", []),
]


@pytest.mark.parametrize(("text", "found"), [*DECISIONS, *PREFERENCES, *PAIN_POINTS, *TASKS])
def test_what_is_meant_is_found_and_what_sounds_like_it_is_not(text: str, found: list[str]) -> None:
    assert statements(draft(text)) == found


METADATA = [
    ("We'll stick with Postgres for now because Ana knows it.", {"affected_entities": "Postgres", "rationale": "Ana knows it", "reversible": "true"}),
    ("We decided to close the Oslo office, that's final.", {"affected_entities": "Oslo", "reversible": "false"}),
    ("I prefer short answers.", {"category": "communication", "confidence": "0.9"}),
    ("Lena hates weekly reports.", {"owner": "Lena", "category": "reporting", "confidence": "0.7"}),
    ("The portal is a bit too slow.", {"severity": "low"}),
    ("The bank lost our papers twice, what a mess.", {"severity": "high", "frequency": "2"}),
    ("Tom will send the quote on Friday.", {"owner": "Tom", "deadline": "2024-05-17"}),
    ("I'll send the quote to Lena tonight.", {"owner": "self", "deadline": "2024-05-15"}),
    ("I'll fix the roof by the end of the week.", {"owner": "self", "deadline": "end of the week"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "metadata"), METADATA)
def test_a_statement_is_described_by_document_002s_fields(
    text: str, metadata: dict[str, str]
) -> None:
    found = [
        each
        for each in draft(text).entities
        if each.kind in {"decision", "preference", "pain_point", "task"}
    ]
    assert [dict(each.metadata) for each in found] == [metadata]


IMPORTANCE = [
    ("We decided to use Terraform.", 0.9),
    ("We decided to use Terraform, this is really important!", 0.95),
    ("As I said, we decided to use Terraform.", 0.8),
    ("The portal is painfully slow.", 0.7),
    ("By the way, my printer keeps crashing.", 0.45),
]


@pytest.mark.parametrize(("text", "importance"), IMPORTANCE)
def test_importance_keeps_its_band_and_moves_by_emphasis_and_novelty(
    text: str, importance: float
) -> None:
    found = [each for each in draft(text).entities if each.kind in {"decision", "pain_point"}]
    assert [each.importance for each in found] == [importance]
