"""Words that tell what kind of thing stands beside them."""

from __future__ import annotations

from collections.abc import Mapping


def _table(lines: Mapping[str, str]) -> Mapping[str, str]:
    return {word: kind for kind, words in lines.items() for word in words.split()}


HEADS: Mapping[str, str] = _table(
    {
        "project": """project initiative migration pipeline repo repository dashboard redesign rewrite rollout prototype
            codebase refactor roadmap workstream backlog sprint epic relaunch revamp proposal service microservice""",
        "campaign": "campaign promo promotion",
        "technology": """framework library database db api sdk cluster server plugin compiler language protocol runtime
            toolchain driver parser container docker syntax module package cli schema query queries""",
        "organization": """team company corp corporation startup firm agency group committee department division client
            customer vendor supplier employer people folks guys contract account engineers recruiter board conglomerate
            nonprofit charity university college school institute foundation bank subsidiary""",
        "place": "district area region city town village airport beach neighborhood neighbourhood suburb county river",
        "event": """conference summit meetup hackathon festival concert workshop webinar expo gala marathon tournament
            wedding ceremony""",
        "product": "app phone laptop subscription tablet console smartwatch camera headset keyboard",
    }
)
"""A lower-case noun after a name tells its kind (`the Atlas project`), as it does in `Atlas is a
project`.
"""

IS_A: Mapping[str, str] = {
    **HEADS,
    **_table(
        {
            "project": "service codename effort",
            "organization": "business brand retailer manufacturer publisher studio lab laboratory hospital newspaper club",
            "place": "country state capital island mountain lake street restaurant cafe park place continent province",
            "product": "product device car bike guitar tool software website platform service",
            "work": """book novel film movie song album game rpg series trilogy show podcast thriller memoir musical
                bestseller""",
            "technology": "tool software technology",
            "person": "person man woman guy girl boy kid friend",
            "event": "event party",
        }
    ),
}
"""What a thing is said to be (`Redis is a database`, `the village, Elmsworth`)."""

BEFORE: Mapping[str, str] = _table(
    {
        "project": "project codename initiative operation",
        "campaign": "campaign",
        "task": "ticket issue task",
        "organization": "company client customer vendor startup employer firm supplier competitor",
        "place": "city village town",
        "product": "app",
        "work": "book novel film movie song album game series show podcast",
        "technology": "library framework language",
    }
)
"""A noun before a name tells its kind (`project Atlas`, `our client Acme`)."""

NOT_A_PROJECT_NAME = frozenset(
    """manager management plan plans planning deadline deadlines team teams meeting meetings lead leads owner budget
    timeline status update updates scope goal goals kickoff board file files work structure name names idea ideas
    proposal report reports folder page site code repo setup review tracker description member members requirement
    requirements milestone milestones documentation docs brief charter sponsor space room coordinator assistant
    director based wise related specific""".split()
)
"""`the project manager` names no project."""

SYSTEM_HEADS = frozenset(
    "service pipeline migration rewrite redesign rollout refactor repo".split()
)
"""`the orders pipeline`: a plain phrase that is itself the name of a system or an effort."""

GENERIC_MODIFIERS = frozenset(
    """new old whole main other same current data customer self room public web rest open cloud database client food
    health national military secret postal internal external first last next big small legacy""".split()
)
"""They make no name of what follows (`customer service`, `the new pipeline`)."""

ORGANIZATION_ENDS = frozenset(
    """inc corp corporation co company ltd limited llc llp plc gmbh ag kg bv nv sa sas sarl spa srl ab oy oyj asa aps as
    kk pty holdings holding group labs lab systems technologies technology solutions software consulting consultants
    partners capital ventures bank institute university college school schools academy foundation trust society
    association council committee ministry department agency studio studios press media publishing records
    entertainment pictures networks network airlines airways motors pharmaceuticals pharma therapeutics biotech bio
    hospital clinic church museum library gallery orchestra theatre theater club fc united union federation league
    institute observatory laboratory laboratories logistics insurance financial industries enterprises international
    analytics robotics dynamics energy foods brewery bakery cafe restaurant hotel store stores shop market nursery
    commission authority bureau office party team works collective cooperative coalition alliance initiative
    advisors advisory associates brothers bros sons""".split()
)
"""The last word of an organization's name."""

LEGAL_ENDS = frozenset(
    "inc corp corporation co ltd limited llc llp plc gmbh ag bv nv sarl srl ab oy pty holdings".split()
)
"""The same in lower case (`acme corp`), where only these are sure."""

PLACE_ENDS = frozenset(
    """street avenue road boulevard blvd lane drive highway square plaza bridge park beach river lake mountain mountains
    mount hill hills valley island islands bay harbour canyon falls desert forest sea ocean peninsula coast city county
    district province village town airport station tower castle palace temple flats heights springs creek""".split()
)
"""The last word of a place's name."""

PLACE_STARTS = frozenset("mount lake fort port san santa saint st. river".split())

TECHNOLOGY_ENDS = frozenset("api sdk db sql js cli os ui orm http rpc script lang ml".split())

EVENT_ENDS = frozenset(
    """conference summit meetup hackathon festival con conf expo day games cup olympics championship week fair marathon
    awards retreat""".split()
)

METRICS = frozenset(
    """cpa roas ctr cac ltv clv mrr arr nps dau mau kpi cpc cpm cpl cpi roi aov csat arpu gmv ebitda""".split()
)
"""Figures that go by their initials."""

CODE_PARTS = frozenset(
    """service services api app server client worker gateway backend frontend db sdk lib core proxy cron job queue
    bot cli infra deploy config auth cache consumer producer scheduler daemon controller operator plugin module repo
    engine dashboard pipeline router""".split()
)
"""Parts of names such as `checkout-service` and `payments_api`."""

KIN: Mapping[str, str] = {
    **dict.fromkeys(
        "sister brother sibling twin sis bro stepsister stepbrother".split(), "sibling_of"
    ),
    **dict.fromkeys("wife husband spouse hubby".split(), "spouse_of"),
    **dict.fromkeys(
        "boyfriend girlfriend fiancé fiancée fiance fiancee bf gf".split(), "partner_of"
    ),
    **dict.fromkeys(
        "mother father mom mum dad mommy daddy mama papa parent stepmom stepdad".split(),
        "parent_of",
    ),
    **dict.fromkeys("son daughter kid child toddler baby stepson stepdaughter".split(), "child_of"),
    **dict.fromkeys(
        "grandmother grandfather grandma grandpa granny grandparent".split(), "grandparent_of"
    ),
    **dict.fromkeys("grandson granddaughter grandchild".split(), "grandchild_of"),
    **dict.fromkeys("uncle aunt auntie".split(), "aunt_or_uncle_of"),
    **dict.fromkeys("nephew niece".split(), "nephew_or_niece_of"),
    **dict.fromkeys("cousin".split(), "cousin_of"),
    **dict.fromkeys("friend bestie buddy pal mate bff".split(), "friend_of"),
    **dict.fromkeys("colleague coworker teammate workmate".split(), "colleague_of"),
    **dict.fromkeys("roommate flatmate housemate".split(), "roommate_of"),
    **dict.fromkeys("neighbor neighbour".split(), "neighbor_of"),
    **dict.fromkeys("classmate".split(), "classmate_of"),
    **dict.fromkeys("mentor".split(), "mentors"),
    **dict.fromkeys("ex".split(), "ex_partner_of"),
}
"""Whose what someone is: in `my sister Ana` Ana is `sibling_of` the speaker."""

SUPERIORS = frozenset("manager boss supervisor".split())
"""In `my manager Tom` it is the speaker who `reports_to` Tom."""

PETS = frozenset(
    "dog cat puppy kitten hamster rabbit parrot horse turtle pup doggo kitty bunny hedgehog".split()
)

PERSON_NOUNS = frozenset(
    """birthday voice face hand hands log diary notes draft talk slides thesis visit advice idea question questions
    arc house home apartment car wedding job boss opinion mom dad life career family
    feedback presentation email message resume cv phone""".split()
)
"""What people have: evidence that the owner is one."""

PERSON_VERBS = frozenset(
    """say tell ask think want like love hate know feel believe meet call email text message phone move live marry smile
    laugh cry walk drive travel fly write read review help suggest mention recommend lead manage join quit retire resign
    offer agree disagree spend visit teach study learn work speak talk discuss explain remember forget hope wish try plan
    decide prefer enjoy cook eat drink sleep wake wear sing dance play swim run hike draft sketch debug file fix approve
    reject sign promise commit propose volunteer attend present invite thank apologize complain worry wonder notice
    report confirm warn insist argue admit claim reply respond answer introduce coordinate collaborate pair own blame
    organize prepare finish graduate celebrate adopt paint draw photograph bake outline explore outline advise
    consult mentor""".split()
)
"""What people do, rather than things."""
