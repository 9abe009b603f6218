"""The lines that come first in a context: working rules, preferences and pain points, profiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from factbook.recall.context.profiled import SHARE_OF_PROFILES, Profiled, profiles
from factbook.recall.context.unasked_lines import unasked_lines
from factbook.recall.context.working_rules import SHARE_OF_RULES, working_rules
from factbook.recall.pack.compose import SHARE_OF_ALWAYS, Ahead
from factbook.recall.phrase.phrased_line import Candidate
from factbook.recall.request import RecallRequest
from factbook.render.block import CLOSING, alone, opening
from factbook.render.row_words import user
from factbook.render.worth_knowing import ToldWords


@dataclass(frozen=True, kw_only=True, slots=True)
class Foremost:
    """Lines that come first, in their order; `wishes` are preferences and pain points."""

    rules: Sequence[Candidate] = ()
    wishes: Sequence[Candidate] = ()
    profiles: Sequence[Profiled] = ()

    @property
    def candidates(self) -> list[Candidate]:
        """All of them."""
        profiled = [each for some in self.profiles for each in some.candidates]
        return [*self.rules, *self.wishes, *profiled]

    @property
    def ahead(self) -> list[Ahead]:
        """Their shares of the budget. A profile was made for its own."""
        return [
            Ahead(number=len(self.rules), share=SHARE_OF_RULES),
            Ahead(number=len(self.wishes), share=SHARE_OF_ALWAYS),
            *(Ahead(number=len(each.candidates), share=1.0) for each in self.profiles),
        ]

    @property
    def about(self) -> list[str]:
        """The names of those who are profiled."""
        return [user(each.entity.name) for each in self.profiles]


def find_foremost(request: RecallRequest) -> Foremost:
    """Returns the lines that come first; none says what one before it says."""
    parts = request.split_spaces()
    own = parts[0]
    wishes = [each for part in parts for each in unasked_lines(part)]
    rules = [_with_wishes(each, wishes) for each in working_rules(own)]
    if not request.about:
        return Foremost(rules=rules, wishes=wishes)
    room = _room(request, rules, wishes)
    before = [each.entry.text for each in (*rules, *wishes)]
    found = profiles(own, room, before, {each.id for each in rules})
    return Foremost(rules=rules, wishes=wishes, profiles=found)


def _with_wishes(rule: Candidate, wishes: Sequence[Candidate]) -> Candidate:
    """Returns the rule, that says the wishes, too, whose words it has."""
    told = ToldWords()
    told.add(rule.entry.text)
    same = [each for each in wishes if told.has(each.entry.text.partition(": ")[2])]
    return replace(rule, says=rule.says.union(*(each.says for each in same)))


def _room(request: RecallRequest, rules: Sequence[Candidate], wishes: Sequence[Candidate]) -> int:
    """Returns the tokens that profiles may take."""
    count, budget = request.tokenizer.count, request.budget
    frame = count(f"{opening(request.about, request.now)}\n{CLOSING}")
    shares = ((rules, SHARE_OF_RULES), (wishes, SHARE_OF_ALWAYS))
    taken = [
        min(sum(count(alone(each.entry)) for each in lines), int(share * budget))
        for lines, share in shares
    ]
    room = budget - frame - sum(taken)
    return max(min(room, int(SHARE_OF_PROFILES * budget)) if request.asked else room, 1)
