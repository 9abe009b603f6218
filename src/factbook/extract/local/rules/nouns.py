"""Nouns by what they are: workplaces, groups, gatherings, things that somebody made."""

from __future__ import annotations

WORKPLACES = frozenset(
    """bakery hospital school university college bank restaurant cafe café bar pub shop store bookstore bookshop library
    museum startup company firm agency office factory hotel gym clinic pharmacy church farm studio lab laboratory airport
    supermarket warehouse newspaper nonprofit charity shelter kindergarten nursery embassy court ministry brewery salon
    garage theater theatre zoo consultancy practice institute observatory hospice archive gallery vineyard winery dairy
    shipyard workshop plant mill dealership foodbank""".split()
)

GROUPS_OF_PEOPLE = frozenset(
    """team group department division unit squad club band choir crew committee board program programme class community
    league troupe orchestra union guild council society chapter task-force taskforce cohort lab""".split()
)

LED = (
    GROUPS_OF_PEOPLE
    | WORKPLACES
    | frozenset("project business campaign event course migration".split())
) - {"plant"}

SCHOOLS = frozenset(
    """school college university academy kindergarten preschool highschool gymnasium lycée lycee friskole escuela schule
    gymnasiet institute elementary primary""".split()
)

GATHERINGS = frozenset(
    """workshop conference meeting meetup summit course class lesson seminar webinar lecture talk training retreat
    offsite wedding funeral concert festival ceremony reunion party exhibition fair hackathon camp keynote standup
    retro kickoff demo screening premiere match game tournament race marathon orientation bootcamp gala dinner
    university college school academy kindergarten mass service rehearsal hearing trial briefing session""".split()
)

PREMISES = frozenset(
    """site office headquarters headquarter hq branch plant factory lab laboratory campus warehouse studio store shop
    depot datacenter showroom facility workshop base premises""".split()
)
"""Where an organization sits: what is in a town, if they are."""

BUILDINGS = (
    WORKPLACES
    | GATHERINGS - {"class", "service", "game", "match"}
    | PREMISES
    | frozenset(
        "house flat apartment cottage cabin villa garden orchard home studio island castle".split()
    )
)
"""What a plain phrase may name that has a place (`a bakery in Ghent`)."""

WORKS = frozenset(
    """guide handbook manual runbook tutorial script importer exporter parser scraper crawler dashboard simulator
    prototype website site app tool library plugin extension service model algorithm pipeline engine editor widget
    template spec specification rfc adr proposal report whitepaper paper article essay blog blogpost book novel song
    poem album film documentation docs wiki changelog pr patch schema api playbook checklist curriculum syllabus logo
    newsletter brochure deck calculator backend frontend module component client server bot game linter installer
    mural sculpture quilt statue bridge bench""".split()
)
"""What somebody writes, builds or designs, and what one speaks of again."""

MEANS = frozenset(
    """script setup stack config configuration deployment instance cluster job server installation playbook chart
    integration account subscription license licence workflow build template database db queue worker node""".split()
)
"""`our Ansible scripts`: who uses them uses Ansible."""
