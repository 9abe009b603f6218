"""The one table of relations: labels, other names, inverses, past forms, the kinds of their ends,
how many hold at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from factbook.model.record import SELF, Cardinality

PEOPLE = frozenset({"person", SELF})
PLACES = frozenset({"place"})
_ANIMALS = frozenset({"animal"})
LIVING = PEOPLE | _ANIMALS
ANYTHING = frozenset(
    {
        "person",
        SELF,
        "organization",
        "place",
        "project",
        "technology",
        "product",
        "work",
        "animal",
        "concept",
        "event",
        "task",
        "other",
    }
    | {"campaign", "metric", "decision", "preference", "pain_point", ""}
)
_GROUPS = PEOPLE | {"organization"}
_MADE = frozenset(
    {"project", "product", "work", "technology", "task", "campaign", "event", "concept", "metric"}
)
_THINGS = _MADE | {"organization"}
_OWNERS = PEOPLE | _THINGS
_FIRMS = frozenset({"organization", "product", "technology", "project"})
"""A firm may go by what it makes."""
_EMPLOYERS = _FIRMS | {"place"}
_JUDGED = _MADE | {"decision", "preference", "pain_point"}
_JUDGES = _GROUPS | {"technology"}

_KIN = (PEOPLE, PEOPLE)
_TWO = ("person", "person")


@dataclass(frozen=True, kw_only=True, slots=True)
class RelationType:
    """One kind of relation.

    Attributes:
        label: in snake_case. says: its ends from first to second, as an extractor is told; empty
            for a label that only a host writes.
        first, second: the kinds that its ends may have. likely: their kinds where nothing else is
            known of them.
        same: other names of just this relation. like: names that say more, or may say else; they
            are read as this one where a reply or a question is read, and are relations of their own
            where they are written by hand.
        turned, turned_like: the same for names that go from the second end to the first.
        broader: the label that this one is read as, where it is one of the names that say more.
        inverse: the label that says the same from the other end, given with one of the two only.
            `inverse_of_people`: it does so only where the end that it is said of is a person.
        symmetric: it says the same either way round.
        past_of: the labels that it says to hold no longer. lapses: it is over itself once one of
            these holds again.
        was: more names that say so, without a row of their own.
        cardinality: how many second ends a first end has at a time. one_holder: a second end has
            one first end at a time.
        once: it tells what happened at its time, not what holds from then on.
    """

    label: str
    says: str = ""
    first: frozenset[str] = ANYTHING
    second: frozenset[str] = ANYTHING
    likely: tuple[str, str] = ("other", "other")
    same: str = ""
    like: str = ""
    turned: str = ""
    turned_like: str = ""
    broader: str = ""
    inverse: str = ""
    inverse_of_people: bool = False
    symmetric: bool = False
    past_of: tuple[str, ...] = ()
    lapses: bool = False
    was: str = ""
    cardinality: Cardinality = "set"
    one_holder: bool = False
    once: bool = False


def _row(  # noqa: PLR0913 - a row of the table of labels
    label: str,
    says: str = "",
    ends: tuple[frozenset[str], frozenset[str]] = (ANYTHING, ANYTHING),
    *past_of: str,
    likely: tuple[str, str] = ("other", "other"),
    same: str = "",
    like: str = "",
    turned: str = "",
    turned_like: str = "",
    broader: str = "",
    inverse: str = "",
    inverse_of_people: bool = False,
    symmetric: bool = False,
    lapses: bool = False,
    was: str = "",
    one: bool = False,
    one_holder: bool = False,
    once: bool = False,
) -> RelationType:
    return RelationType(
        label=label,
        says=says,
        first=ends[0],
        second=ends[1],
        likely=likely if ends != _KIN else _TWO,
        same=same,
        like=like,
        turned=turned,
        turned_like=turned_like,
        broader=broader,
        inverse=inverse,
        inverse_of_people=inverse_of_people,
        symmetric=symmetric,
        past_of=past_of,
        lapses=lapses,
        was=was,
        cardinality="single" if one else "set",
        one_holder=one_holder,
        once=once,
    )


# fmt: off
RELATIONS: tuple[RelationType, ...] = (
    _row("works_at", "a person and their employer, now", (PEOPLE, _EMPLOYERS | {"event"}),
         likely=("person", "organization"), one=True,
         same="employed_by employed_at works_for work_at work_for employee_of has_job_at " "working_at working_for has_employer",
         like="job_at joined joins employer cto_of", turned="employs employer_of has_employee"),
    _row("worked_at", "a person and a former employer", (PEOPLE, _EMPLOYERS | {"event"}), "works_at",
         likely=("person", "organization"),
         same="worked_for formerly_works_at former_employee_of previously_worked_at " "previous_employer used_to_work_at "
              "was_employed_by",
         like="left", turned="formerly_employed"),
    _row("works_on", "a person and a project or task, now", (_GROUPS, _THINGS), likely=("person", "other"),
         same="working_on", like="contributes_to develops pairing_on collaborates_on involved_in"),
    _row("worked_on", "the same, in the past", (_GROUPS, _THINGS), "works_on", likely=("person", "other"),
         like="contributed_to"),
    _row("works_with", "two people who work together", _KIN, symmetric=True, same="collaborates_with working_with",
         like="pairs_with", was="worked_with"),
    _row("volunteers_at", "a person and an organization that they help, now", (PEOPLE, _EMPLOYERS | {"event"}),
         same="volunteer_at volunteers_for"),
    _row("volunteered_at", "the same, in the past", (PEOPLE, _EMPLOYERS | {"event"}), "volunteers_at"),
    _row("plays", "a person and an instrument, sport or game", (_GROUPS, _THINGS), likely=("person", "other"),
         same="playing"),
    _row("leads", "who leads a project, team or organization", (_GROUPS, _THINGS | PLACES), likely=("person", "other"),
         same="leader_of heads head_of chairs leading", like="runs team_lead_of", turned="led_by headed_by",
         turned_like="run_by", one_holder=True),
    _row("led", "who led it", (_GROUPS, _THINGS | PLACES), "leads", likely=("person", "other"), same="headed chaired"),
    _row("manages", "who manages a person, team or project", (_GROUPS, _THINGS | PLACES | {"person"}),
         likely=("person", "other"), same="managing", like="oversees supervises", turned="managed_by",
         turned_like="supervised_by", was="managed", inverse="reports_to", inverse_of_people=True),
    _row("reports_to", "a person and their manager", _KIN, one=True,
         same="has_manager has_boss has_supervisor reporting_to", like="works_under",
         turned="manager_of boss_of supervisor_of", was="reported_to"),
    _row("owns", "who owns or is responsible for something", (_OWNERS, _THINGS | PLACES | _ANIMALS), likely=("person", "other"),
         same="owner_of", like="maintains maintainer_of", turned="owned_by", turned_like="maintained_by", was="owned"),
    _row("responsible_for", "who answers for something", (_OWNERS, _THINGS | PLACES | LIVING - {SELF}),
         same="in_charge_of accountable_for", was="was_responsible_for"),
    _row("member_of", "a person and a group", (_GROUPS, _THINGS), same="belongs_to_team on_team in_team",
         turned="has_member has_members", was="was_member_of"),
    _row("part_of", "a part and its whole", (_THINGS | PLACES, _THINGS | PLACES), same="component_of", like="subset_of",
         turned="has_part", turned_like="includes contains", was="was_part_of"),
    _row("uses", "someone or something and what it is made with or runs on", (_OWNERS, _THINGS), same="utilizes using",
         like="runs_on built_with written_in deployed_on made_with implemented_in built_in " "built_on hosted_on based_on "
              "running_on integrates_with programmed_in works_in runs_in developed_in adopted " "switched_to",
         turned="used_by", turned_like="powers"),
    _row("used", "what it was made with before", (_OWNERS, _THINGS), "uses", same="used_to_use", like="switched_from"),
    _row("depends_on", "a thing that fails without the other", (_THINGS, _THINGS | {"person"}),
         same="relies_on dependent_on", like="requires needs dependency", turned_like="required_by needed_by",
         was="depended_on"),
    _row("located_in", "a thing or organization and its place", (_THINGS | PLACES, PLACES), likely=("other", "place"),
         same="located_at situated_in", like="based_in headquartered_in in", was="was_located_in"),
    _row("lives_in", "a person and their home, now", (PEOPLE, PLACES), likely=("person", "place"), one=True,
         same="resides_in residing_in living_in resident_of", like="lives_at relocated_to", turned_like="home_of"),
    _row("lived_in", "a former home", (PEOPLE, PLACES), "lives_in", likely=("person", "place"),
         same="resided_in formerly_lived_in used_to_live_in"),
    _row("comes_from", "a person and where they are from", (_OWNERS, PLACES | {"organization"}),
         likely=("other", "place"), same="originates_from hails_from", like="from native_of grew_up_in"),
    _row("born_in", "a person and their place of birth", (PEOPLE, PLACES), likely=("person", "place"),
         turned="birthplace_of"),
    _row("moved_to", "a person and the team they went to", (PEOPLE, _MADE), once=True),
    _row("visited", "a person and a place that they went to", (_GROUPS, PLACES | {"organization", "event"}),
         likely=("person", "place"), same="traveled_to travelled_to", like="went_to", turned="visited_by", once=True),
    _row("attended", "a person and an event or school", (_GROUPS, _THINGS | PLACES),
         like="participated_in spoke_at takes_part_in attends", turned="attended_by", once=True),
    _row("studies_at", "a student and their school", (PEOPLE, _EMPLOYERS | {"concept"}),
         likely=("person", "organization"), same="student_at studying_at enrolled_at", like="student_of"),
    _row("studied_at", "the same, in the past", (PEOPLE, _EMPLOYERS | {"concept"}), "studies_at",
         likely=("person", "organization"), like="graduated_from alumnus_of alma_mater"),
    _row("created", "who made it", (_OWNERS, _THINGS), same="creator_of",
         like="wrote built made developed designed authored filed author_of invented opened", turned="created_by",
         turned_like="written_by built_by made_by developed_by designed_by authored_by filed_by", once=True),
    _row("founded", "who founded it", (_GROUPS, _FIRMS | {"event", "campaign"}), likely=("other", "organization"),
         same="founder_of", like="co_founded cofounded started established", turned="founded_by"),
    _row("acquired", "who bought which organization", (_FIRMS | PEOPLE, _FIRMS),
         likely=("organization", "organization"), like="bought purchased took_over", turned="acquired_by",
         turned_like="bought_by", once=True),
    _row("approved", "who approved it", (_JUDGES, _JUDGED), like="signed_off approves accepted", turned="approved_by", once=True),
    _row("rejected", "who rejected it", (_JUDGES, _JUDGED), like="declined vetoed", turned="rejected_by", once=True),
    _row("reviewed", "who reviewed it", (_JUDGES, _JUDGED), like="reviews", turned="reviewed_by", once=True),
    _row("fixed", "who fixed it", (_JUDGES, _JUDGED), like="repaired resolved solved fixes", turned="fixed_by", once=True),
    _row("replaced", "the new one and the one before", same="successor_of",
         like="replaces succeeded took_over_from", turned="replaced_by succeeded_by"),
    _row("assigned_to", "a task and a person", (_THINGS, _GROUPS), likely=("other", "person"), turned="assignee_of"),
    _row("hired", "an employer and a person", (PEOPLE | _FIRMS, PEOPLE), likely=("other", "person"), same="recruited",
         turned="hired_by", once=True),
    _row("mentors", "the mentor and the mentored", _KIN, same="mentor_of", like="coaches tutors", turned="mentored_by",
         was="mentored"),
    _row("spouse_of", "two people who are married", _KIN, symmetric=True, one=True, same="married_to has_spouse",
         like="husband_of wife_of married has_wife has_husband",
         was="was_spouse_of former_spouse_of divorced_from was_married_to"),
    _row("partner_of", "two people in love", _KIN, symmetric=True, same="has_partner in_relationship_with",
         like="boyfriend_of girlfriend_of fiance_of fiancee_of"),
    _row("ex_partner_of", "two people who were", _KIN, "partner_of", "spouse_of", "dating", "engaged_to",
         symmetric=True, lapses=True, same="ex_of former_partner_of"),
    _row("sibling_of", "two siblings", _KIN, symmetric=True, same="has_sibling",
         like="brother_of sister_of has_brother has_sister"),
    _row("parent_of", "a parent and their child", _KIN, same="has_child", like="father_of mother_of has_son has_daughter"),
    _row("child_of", "a child and their parent", _KIN, same="has_parent",
         like="son_of daughter_of has_mother has_father", inverse="parent_of"),
    _row("grandparent_of", "a grandparent and their grandchild", _KIN, same="has_grandchild",
         like="grandfather_of grandmother_of"),
    _row("grandchild_of", "the other way round", _KIN, same="has_grandparent",
         like="grandson_of granddaughter_of has_grandmother has_grandfather", inverse="grandparent_of"),
    _row("aunt_or_uncle_of", "an aunt or uncle and their niece or nephew", _KIN,
         like="aunt_of uncle_of has_niece has_nephew"),
    _row("nephew_or_niece_of", "the other way round", _KIN, like="nephew_of niece_of has_aunt " "has_uncle",
         inverse="aunt_or_uncle_of"),
    _row("cousin_of", "two cousins", _KIN, symmetric=True, same="has_cousin"),
    _row("friend_of", "two friends", _KIN, symmetric=True, same="friends_with has_friend", like="best_friend_of",
         was="former_friend_of"),
    _row("colleague_of", "two who work together", _KIN, symmetric=True,
         same="coworker_of co_worker_of has_colleague works_alongside", like="teammate_of",
         was="former_colleague_of ex_colleague_of"),
    _row("roommate_of", "two who live together", _KIN, symmetric=True, same="flatmate_of has_roommate",
         was="former_roommate_of ex_roommate_of lived_with"),
    _row("neighbor_of", "two neighbours", _KIN, symmetric=True, same="neighbour_of has_neighbor",
         was="former_neighbor_of former_neighbour_of"),
    _row("classmate_of", "two who learn together", _KIN, symmetric=True, was="former_classmate_of"),
    _row("knows", "two people", _KIN, symmetric=True, same="acquainted_with", was="knew"),
    _row("met", "two people, once", _KIN, symmetric=True, same="met_with", like="meets meeting_with", once=True),
    _row("has_pet", "a person and an animal", (PEOPLE, _ANIMALS | {"person"}),
         likely=("person", "animal"), same="owns_pet pet_owner_of",
         turned="pet_of", was="had_pet"),
    _row("prefers", "someone and what they prefer", same="has_preference", like="preferred favors favours",
         turned="preferred_by"),
    _row("likes", "someone and what they like", likely=("person", "other"), like="loves enjoys fan_of is_fond_of like",
         turned="liked_by", was="liked"),
    _row("dislikes", "someone and what they don't like", same="does_not_like doesnt_like", like="hates avoids"),
    _row("blocks", "what keeps the other from going on", same="blocking", turned="blocked_by", turned_like="waits_for"),
    _row("causes", "a cause and its effect", like="caused leads_to", turned="caused_by"),
    _row("partners_with", "two organizations", (_FIRMS, _FIRMS), symmetric=True, same="has_partnership_with",
         like="partnered_with"),
    _row("competes_with", "two organizations", (_FIRMS, _FIRMS), symmetric=True, same="competitor_of rival_of"),
    _row("invested_in", "an investor and an organization", (_GROUPS, _FIRMS), same="investor_in", like="invests_in"),
    _row("funds", "who pays for something", (_OWNERS, _THINGS | PEOPLE), like="finances pays_for", turned="funded_by"),
    # Labels that only hosts write, each with properties of its own.
    _row("ceo_of", broader="works_at", one_holder=True, was="was_ceo_of"),
    _row("belongs_to", broader="part_of", was="belonged_to"),
    _row("sponsors", broader="funds", was="sponsored"),
    _row("dating", broader="partner_of", symmetric=True),
    _row("engaged_to", broader="partner_of", symmetric=True),
    _row("twin_of", broader="sibling_of", symmetric=True),
    _row("lives_with", broader="roommate_of", symmetric=True),
    _row("related_to", symmetric=True),
)
# fmt: on
"""Every relation, those of the vocabulary in the order in which an extractor is told of them."""
