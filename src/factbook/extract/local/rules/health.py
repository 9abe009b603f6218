"""What someone can't or doesn't eat, is allergic to, suffers from and takes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.states import as_genitive
from factbook.extract.local.rules.truth import Claim, is_asked
from factbook.extract.local.rules.validity import is_future, is_past
from factbook.extract.local.rules.values import (
    PEOPLE,
    after,
    fact,
    people_of,
    said,
    subjects,
    values,
)
from factbook.extract.local.scene import End, Finding, Scene
from factbook.model.relation_table import LIVING

DIETS = frozenset(
    "vegan vegetarian pescatarian kosher halal lactose-intolerant gluten-free dairy-free celiac coeliac".split()
)
_CONDITIONS = frozenset(
    """diabetic asthmatic epileptic pregnant autistic dyslexic deaf blind colorblind colourblind color-blind celiac coeliac
    anemic anaemic arthritic hypertensive bipolar immunocompromised""".split()
)
_ILLNESSES = frozenset(
    """diabetes asthma epilepsy adhd migraine migraines arthritis eczema anemia anaemia insomnia depression anxiety
    hypertension dyslexia autism cancer covid flu pneumonia sciatica tinnitus vertigo gout lupus psoriasis fibromyalgia
    dementia alzheimer parkinson endometriosis bronchitis scoliosis osteoporosis fever apnea apnoea bruxism""".split()
)
_FOODS = frozenset(
    """meat pork beef gluten dairy lactose milk eggs egg nuts peanuts shellfish fish seafood sugar wheat soy alcohol
    caffeine coffee chicken onion onions garlic mushrooms tomatoes bread cheese red spicy chocolate wine""".split()
)
_DRUGS = re.compile(
    r"(?:\w{3,}(?:pril|olol|statin|mycin|cillin|prazole|sartan|formin|oxetine|zepam|profen|thyroxine|triptan|azole|dipine|"
    r"cycline|floxacin|barbital|codone|semide|parin|tidine|terol|traline|lukast|gabalin|glutide)|insulin|aspirin|"
    r"paracetamol|tylenol|warfarin|prednisone|lithium|melatonin|antibiotics|antidepressants|statins|painkillers)",
    re.IGNORECASE,
)


def health(scene: Scene, verb: Word, held: Claim) -> Iterator[Finding]:
    """What a clause says of someone's diet and health. `can't eat` holds, though its verb is one of
    possibility.
    """
    if held == "open":
        if _cannot(scene, verb):
            yield from _avoids(scene, verb)
        return
    told = verb.lemma == "diagnose" and held == "holds"
    if (is_past(verb) and not told) or is_future(verb):
        return
    denied = held == "denied"
    if verb.lemma == "be":
        for end in people_of(scene, verb):
            yield from _is(scene, verb, end, denied=denied)
        if not denied:
            yield from _is_on(scene, verb)
    elif denied:
        yield from _avoids(scene, verb) if verb.lemma in {"eat", "drink"} else ()
    elif verb.lemma in {"have", "suffer", "take", "follow", "keep", "eat", "diagnose", "get"}:
        for end in people_of(scene, verb):
            yield from _has(scene, verb, end)


def genitives(scene: Scene) -> Iterator[Finding]:
    """`she's vegan`, where the parser sees what belongs to her."""
    for word in scene.words:
        if word.lower in {"have", "eat"}:
            yield from _misread(scene, word)
        if (
            word.lower == "allergic"
            and scene.words[word.i - 1].tag == "POS"
            and not is_asked(scene, word)
        ):
            name = scene.name_at(scene.words[word.i - 2]) if word.i > 1 else None
            found = [scene.end(name)] if name is not None and name.kind == "person" else []
            for each in (
                each for to in word.children_by("prep") for each in to.children_by("pobj")
            ):
                for value in values(scene, each):
                    yield from (
                        fact(scene, end, "allergies", value, word, importance=0.8) for end in found
                    )
        attribute = (
            "diet" if word.lower in DIETS else "condition" if word.lower in _CONDITIONS else ""
        )
        if attribute and word.dep == "ROOT" and not is_asked(scene, word):
            for end in as_genitive(scene, word):
                yield fact(scene, end, attribute, word.lower, word, importance=0.7)


def _is(scene: Scene, verb: Word, end: End, *, denied: bool) -> Iterator[Finding]:
    for top in verb.children_by("acomp", "attr"):
        for word in top.with_conjuncts():
            if word.lower == "allergic":
                for each in (
                    each for to in word.children_by("prep") for each in to.children_by("pobj")
                ):
                    for value in values(scene, each):
                        yield fact(
                            scene, end, "allergies", value, verb, importance=0.8, retracts=denied
                        )
            elif word.lower == "intolerant":
                before = word.children_by("npadvmod", "amod", "compound", "advmod", "nmod")
                to = [each for to in word.children_by("prep") for each in to.children_by("pobj")]
                value = said(scene, before[0], word) if before else " ".join(["intolerant to", *values(scene, to[0])[:1]]) if to else ""  # fmt: skip
                if value:
                    yield fact(scene, end, "diet", value, verb, importance=0.7, retracts=denied)
            elif word.lower in DIETS:
                yield fact(scene, end, "diet", word.lower, verb, importance=0.7, retracts=denied)
            elif word.lower in _CONDITIONS and not word.children_by("compound", "prep"):
                yield fact(
                    scene, end, "condition", word.lower, verb, importance=0.7, retracts=denied
                )


def _is_on(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`is on a kidney diet`, `is on insulin`; animals too."""
    of = [end for _, end in subjects(scene, verb) if end.kind in LIVING]
    tops = [verb, *verb.children_by("attr", "acomp")]
    for word in (
        word for top in tops for word in top.children if word.lower == "on" and word.i > verb.i
    ):
        for noun in word.children_by("pobj"):
            value = next(iter(values(scene, noun)), "")
            attribute = (
                "diet"
                if noun.lemma == "diet"
                else "medication"
                if _DRUGS.fullmatch(noun.text)
                else ""
            )
            if attribute and value and value != "diet":
                yield from (fact(scene, end, attribute, value, verb, importance=0.7) for end in of)


def _has(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    said_of = clause(scene, verb)
    for word in said_of.after("", "from", "with"):
        for each in word.with_conjuncts():
            if each.lemma == "allergy":
                yield from _allergy(scene, verb, end, each)
            elif (each.lemma in _ILLNESSES or _is_illness(each)) and verb.lemma in {
                "have",
                "suffer",
                "diagnose",
            }:
                yield from (
                    fact(
                        scene,
                        end,
                        "condition",
                        v,
                        verb,
                        importance=0.7,
                        begins=verb.lemma == "diagnose",
                    )
                    for v in values(scene, each)[:1]
                )
            elif verb.lemma == "take" and _DRUGS.fullmatch(each.text):
                yield from (
                    fact(scene, end, "medication", v, verb, importance=0.7)
                    for v in _drug(scene, each)
                )
            elif each.lemma == "diet" and verb.lemma in {"follow", "keep"}:
                yield from (
                    fact(scene, end, "diet", v, verb, importance=0.7)
                    for v in values(scene, each)[:1]
                )
    if verb.lemma in {"eat", "keep"} and (told := after(scene, verb)) in DIETS:
        yield fact(scene, end, "diet", told, verb, importance=0.7)


def _is_illness(noun: Word) -> bool:
    """`celiac disease`, `restless legs syndrome`."""
    named = noun.lemma in {"disease", "syndrome", "disorder", "deficiency", "infection"}
    return named and bool(noun.children_by("compound", "amod"))


def _drug(scene: Scene, word: Word) -> list[str]:
    return [word.text] if scene.sentence_of(word)[0].lower != "if" else []


def _allergy(scene: Scene, verb: Word, end: End, noun: Word) -> Iterator[Finding]:
    """`a peanut allergy`, `an allergy to cats`, `peanut and egg allergies`."""
    after_it = [
        word
        for word in (*noun.children, *verb.children)
        if word.dep == "prep" and word.i in {noun.i + 1, noun.i + 2}
    ]
    to = [each for word in after_it if word.lower == "to" for each in word.children_by("pobj")]
    for word in (*to, *noun.children_by("compound", "nmod")):
        for value in values(scene, word):
            yield fact(scene, end, "allergies", value, verb, importance=0.8)


def _cannot(scene: Scene, verb: Word) -> bool:
    """`can't eat`, `is not allowed to eat` said as such, not asked and not supposed."""
    auxiliaries = {word.lower for word in verb.children_by("aux")}
    refused = (
        any(word.dep == "neg" or word.lower == "never" for word in verb.children)
        or "cannot" in auxiliaries
    )
    mild = any(word.dep == "advcl" and word.child("mark") for word in verb.children)
    return (
        bool(auxiliaries & {"can", "ca", "cannot"})
        and refused
        and not is_asked(scene, verb)
        and not mild
    )


_EATS = frozenset("eat have drink tolerate digest".split())


def _avoids(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`can't eat shellfish`, `doesn't eat meat`: what someone's food is without."""
    if verb.lemma not in _EATS or is_past(verb) or verb.dep in {"relcl", "acl"}:
        return
    for word in verb.children_by("dobj"):
        kept = [
            each for each in word.with_conjuncts() if not each.children_by("poss", "det", "relcl")
        ]
        for each in kept:
            listed = each.lower in _FOODS or any(child.lower in _FOODS for child in each.children)
            if listed or (
                verb.lemma in {"eat", "drink", "tolerate", "digest"}
                and each.pos == "NOUN"
                and _is_kind(each)
            ):
                for end in people_of(scene, verb):
                    if end.kind in PEOPLE:
                        value = values(scene, each)[0].removeprefix("any ")
                        yield fact(scene, end, "diet", f"no {value}", verb, importance=0.8)


def _misread(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`can't have gluten`, of which the parser may make a verb of the food."""
    food = verb.head
    before = [word.lower for word in scene.words[max(0, verb.i - 2) : verb.i]]
    misread = verb.dep == "aux" and food.i == verb.i + 1 and food.lower in _FOODS
    if not misread or before not in (["ca", "n't"], ["ca", "nt"]) or is_asked(scene, verb):
        return
    if not any(word.lower == "if" for word in scene.sentence_of(verb)):
        for end in people_of(scene, food):
            yield fact(scene, end, "diet", f"no {food.lower}", food, importance=0.8)


def _is_kind(noun: Word) -> bool:
    return not noun.children_by("prep") and noun.lower not in {
        "anything",
        "much",
        "lunch",
        "breakfast",
        "dinner",
        "anymore",
    }
