"""Words that are never the name of an entity: greetings, pronouns, times, bare numbers."""

from __future__ import annotations

import re

GREETINGS = frozenset(
    """hi hello hey heya hiya hullo howdy yo sup greetings welcome bye goodbye cheers thanks thank thx ty please pls
    sorry congrats congratulations yes no yeah yep yup nope nah ok okay sure alright right cool great nice good wow
    omg lol lmao haha hahaha hmm hm uh um oh ah aw aww ooh huh whoa oops ugh yay btw fyi imo imho tbh asap afaik iirc
    np ps cc re fwd dear regards sincerely best well so anyway honestly actually maybe absolutely exactly definitely
    totally gosh gee damn glad bummer kudos cheers yikes phew yum wanna gonna gotta kinda sorta lemme gimme dunno congrats
    woohoo yippee hurray hooray bravo amen whatever likewise same exactly awesome lovely amazing gorgeous yess nope""".split()
)

PRONOUNS = frozenset(
    """i me my mine myself you your yours yourself yourselves u ur he him his himself she her hers herself it its
    itself we us our ours ourselves they them their theirs themselves who whom whose which what that this these those
    one ones someone somebody something anyone anybody anything everyone everybody everything nobody nothing none
    another other others each both all some any many few several everywhere somewhere here there y'all yall folks guys
    im ive id ill""".split()
)

TIMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun mondays
    tuesdays wednesdays thursdays fridays saturdays sundays january february march april may june july august september
    october november december jan feb mar apr jun jul aug sep sept oct nov dec today tomorrow yesterday tonight now
    then soon later morning afternoon evening night noon midnight midday day days week weeks weekend weekends month
    months year years quarter hour hours minute minutes second seconds spring summer autumn fall winter am pm q1 q2 q3
    q4 h1 h2 eod eow eom eoy""".split()
)

GENERIC = frozenset(
    """api apis sdk pdf pdfs pr prs mr mrs qa ui ux faq faqs eta kpi kpis okr okrs ci cd hr it ai ml tv tvs dvd usb cpu gpu ram
    ssd url urls app apps id ids ip os pc gps diy rsvp ceo cto cfo coo vp svp pm po sre dba phd mba ba bs msc bsc md ok
    sales marketing engineering finance operations support research growth security accounting procurement
    user assistant system human bot mom dad mum grandma grandpa sir madam god lord""".split()
)
"""Initials and words that stand for any of their sort."""

_INTERJECTION = re.compile(
    r"a+w+|h+m+|w+h?o+a+h*|y+a+y+|o+h+|a+h+|u+g+h+|w+o+w+|y+e+s+|s+o+|y+e+a+h*|(?:h+[aeio]+)+h*|e+w+|m+"
)

_DETERMINERS = frozenset(
    "a an the my your his her its our their this that these those next last every each".split()
)
_NEVER = GREETINGS | PRONOUNS | TIMES | GENERIC | _DETERMINERS
_NUMBER = re.compile(
    r"(?:[\W_]++|\d++(?:st|nd|rd|th|k|m|bn|x|h|s|ms|gb|mb|kb|tb|am|pm)?)*", re.IGNORECASE
)
_OUTER = " \t\r\n.,;:!?\"'()[]{}<>“”‘’*_~`|-–—"


def is_greeting(word: str) -> bool:
    """Whether a word in lower case is a greeting or an exclamation, drawn out or not."""
    return word in GREETINGS or bool(_INTERJECTION.fullmatch(word))


def is_stop_name(name: str) -> bool:
    """Whether the name is made of nothing but greetings, pronouns, times, articles, numbers and
    punctuation.
    """
    words = [word.strip(_OUTER) for word in name.casefold().replace("’", "'").split()]
    words = [word for word in words if word]
    if not words:
        return True
    return all(
        word in _NEVER or bool(_NUMBER.fullmatch(word) or _INTERJECTION.fullmatch(word))
        for word in words
    )
