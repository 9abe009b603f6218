"""Who is whose what, who works where, who lives with whom, which animal is whose. Sentences with
known answers.
"""

from __future__ import annotations

import pytest

from tests.support.drafts import read

pytestmark = pytest.mark.model

TIES = [
    ("my mum Ana is a teacher", "Ana parent_of self"),
    ("My partner, Nadia, is asleep.", "Nadia partner_of self"),
    ("My flatmate Yuki is asleep.", "Yuki roommate_of self"),
    ("My stepson Kofi is asleep.", "Kofi child_of self"),
    ("my cousin wei is asleep", "wei cousin_of self"),
    ("my colleagues Ana, Tom and Wei left", "Ana colleague_of self; Tom colleague_of self; Wei colleague_of self"),
    ("Our kids are called Leo and Mia.", "Leo child_of self; Mia child_of self"),
    ("Our twins Leo and Mia are asleep.", "Leo child_of self; Mia child_of self; Leo sibling_of Mia"),
    ("I have two kids, Leo and Mia.", "Leo child_of self; Mia child_of self"),
    ("I have a brother called Tom.", "Tom sibling_of self"),
    ("Tom is the son of Ana and Wei.", "Tom child_of Ana; Tom child_of Wei"),
    ("Ana and Tom's daughter Mia is asleep.", "Mia child_of Ana; Mia child_of Tom"),
    ("Ana and Tom are married. Their kids are Leo and Mia.", "Leo child_of Ana; Leo child_of Tom; Mia child_of Ana; Mia child_of Tom; Ana spouse_of Tom"),
    ("Ana, whose brother Tom is asleep, called.", "Tom sibling_of Ana"),
    ("Tom, a good friend of mine, called.", "Tom friend_of self"),
    ("My old friend Kofi called.", "Kofi friend_of self"),
    ("My ex-wife Eva called.", "Eva ex_partner_of self"),
    ("Aunt Clara called.", "Aunt Clara aunt_or_uncle_of self"),
    ("Tom's aunt Clara called.", "Clara aunt_or_uncle_of Tom"),
    ("Leo's mom is Ana.", "Ana parent_of Leo"),
    ("I am the mother of Leo and Mia.", "self parent_of Leo; self parent_of Mia"),
    ("I'm Ana's manager.", "Ana reports_to self"),
    ("my boss ana and her boss tom disagree", "self reports_to ana; ana reports_to tom"),
    ("Shoutout to my teammates Ana and Tom.", "Ana colleague_of self; Tom colleague_of self"),
    ("If my sister Ana calls, tell her.", "Ana sibling_of self"),
    ("Ana's husband Tom called. His cousin Wei was there.", "Wei cousin_of Tom; Tom spouse_of Ana"),
    ("Ana's my manager.", "self reports_to Ana"),
    ("A colleague of mine, Wei, called.", "Wei colleague_of self"),
    ("mom's name is Ruth", "Ruth parent_of self"),
    ("We have three kids: Leo, Mia and Sol.", "Leo child_of self; Mia child_of self; Sol child_of self"),
    ("my girlfriend (Ana) called", "Ana partner_of self"),
    ("Leo, my eldest, called.", "Leo child_of self"),
    ("my line manager Ana called", "self reports_to Ana"),
    ("Tom is one of my direct reports.", "Tom reports_to self"),
    ("Ana is one of my best friends.", "Ana friend_of self"),
    ("I have a sister. Her name is Ana.", "Ana sibling_of self"),
    ("His name is Tom and he's my cousin.", "Tom cousin_of self"),
    ("Ana or Tom is my cousin.", ""),
    ("Ana was going to be my manager.", ""),
    ("I have a sister. Is her name Ana?", ""),
    ("My product manager Ana called.", ""),
    ("My oldest friend Ana called.", "Ana friend_of self"),
    ("Grandma's sister Ana called.", ""),
    ("If Ana's my manager, I quit.", ""),
    ("Ana's my manager's sister.", ""),
    # what only looks like it
    ("My mother-in-law Greta called.", ""),
    ("My sister in law Greta called.", ""),
    ("My great-grandmother Rosa called.", ""),
    ("My business partner Tom called.", ""),
    ("My best friend, Ana, and Tom went home.", ""),
    ("Ana, my sister, and Tom went home.", ""),
    ("Do you know the friend Ana met?", ""),
    ("Thanks Ana, my manager will call you.", ""),
    ("My son Leo's teacher is Ana Silva.", "Leo child_of self"),
    ("My former flatmate Yuki called.", "not Yuki roommate_of self"),
    ('She said "my sister Ana is here".', ""),
    ("Is Ana your sister?", ""),
    ("Ana could be my manager.", ""),
    ("I wish Tom was my brother.", ""),
    ("Tom is like a brother to me.", ""),
    ("My sister and Ana are here.", ""),
    ("Uncle Sam wants you.", ""),
    ("My imaginary friend Bob called.", ""),
    ("My mother's name was Rosa.", "Rosa parent_of self"),
    ("Tom was my boss.", "not self reports_to Tom"),
    ("My coworker's kid Leo called.", ""),
    ("Ana's mother's friend Tom called.", ""),
    ("Ana and Tom are my friends.", "Ana friend_of self; Tom friend_of self"),
]  # fmt: skip

TOGETHER = [
    ("Ana and Tom got married in 2020.", "Ana spouse_of Tom since 2020"),
    ("Tom and I have been married for ten years.", "Tom spouse_of self since 2014"),
    ("Ana and Tom divorced in 2019.", "Ana ex_partner_of Tom since 2019"),
    ("Ana, Tom and I are cousins.", "Ana cousin_of Tom; Ana cousin_of self; Tom cousin_of self"),
    ("Ana and Tom are brother and sister.", "Ana sibling_of Tom"),
    ("Tom and Ana are a couple.", "Tom partner_of Ana"),
    ("Ana is good friends with Tom.", "Ana friend_of Tom"),
    ("Ana shares a flat with Wei.", "Ana roommate_of Wei"),
    ("Tom and Wei work together.", "Tom works_with Wei"),
    ("Ana and Wei know each other from school.", "Ana knows Wei"),
    ("Kofi lives next door to us.", "Kofi neighbor_of self"),
    ("I live with my friend Wei in Oslo.", "Wei friend_of self; self roommate_of Wei; self lives_in Oslo; Wei lives_in Oslo"),
    ("I live in Oslo with my wife Ana.", "Ana spouse_of self; self lives_in Oslo; Ana lives_in Oslo"),
    ("My husband Wei is asleep and we live in Oslo.", "Wei spouse_of self; self lives_in Oslo; Wei lives_in Oslo"),
    ("Ana and Tom are siblings. They live in Porto.", "Ana sibling_of Tom; Ana lives_in Porto; Tom lives_in Porto"),
    ("Ana and Tom are getting married next year.", ""),
    ("Ana and Tom were friends.", ""),
    ("Ana and Tom might be siblings.", ""),
    ("Are Ana and Tom married?", ""),
    ("Wei and I used to live together.", ""),
    ("Ana and Tom want to live together.", ""),
    ("Ana and Tom broke up.", "Ana ex_partner_of Tom"),
    ("My children broke the swing. They live in Oslo.", ""),
]  # fmt: skip

GROUPS = [
    ("im on the data team", "self member_of data team"),
    ("I'm in a jazz band and Ana is in the chess club.", "self member_of jazz band; Ana member_of chess club"),
    ("Wei is a member of the school board.", "Wei member_of school board"),
    ("Priya from the design team called.", "Priya member_of design team"),
    ("I sing in a choir.", "self member_of choir"),
    ("Ana sings and her brother Tom drums, they're both in the school band.", "Tom sibling_of Ana; Ana member_of school band; Tom member_of school band"),
    ("I used to be on the billing team.", "not self member_of billing team"),
    ("Ana isn't on the data team.", "not Ana member_of data team"),
    ("I was on the data team until 2022.", "self member_of data team until 2022"),
    ("Is Ana on the data team?", ""),
    ("Ana wants to be on the data team.", ""),
    ("I'm in a meeting with the team.", ""),
    ("I'm on a call with the design team.", ""),
    ("We met Priya, a founding member of the Porto Chess Club.", "Priya member_of Porto Chess Club; self met Priya"),
    ("Ana, a member of the design team, called.", "Ana member_of design team"),
    ("He's a member.", ""),
    ("My employer is Globex.", "self works_at Globex"),
]  # fmt: skip

WORK = [
    ("Ana Silva, the CTO of Globex, called.", "Ana Silva.role = CTO; Ana Silva works_at Globex"),
    ("Tom (our head of sales) is away.", "Tom.role = head of sales"),
    ("im a product designer at globex", "self.role = product designer; self works_at globex"),
    ("Tom is a teacher at a primary school.", "Tom.role = teacher; Tom works_at primary school"),
    ("Priya was promoted to head of design.", "Priya.role = head of design"),
    ("Wei was appointed CFO of Globex.", "Wei.role = CFO; Wei works_at Globex"),
    ("The nurse is called Ana Silva.", "Ana Silva.role = nurse"),
    ("Ana joined Globex. She is the head of sales there.", "Ana.role = head of sales; Ana works_at Globex"),
    ("Ana, a nurse who works at Globex, called.", "Ana.role = nurse; Ana works_at Globex"),
    ("I met Ana from Globex.", "Ana works_at Globex; self met Ana"),
    ("Ana has a job at Globex.", "Ana works_at Globex"),
    ("I was at Globex for three years.", "self worked_at Globex"),
    ("I was at Globex today.", ""),
    ("I got the book from Globex.", ""),
    ("Ana, the CEO of Globex called.", ""),
    ("Pretend that you are Captain Tom.", ""),
    ("Wei's our new CFO.", "Wei.role = CFO"),
    ("Ana is the team lead for Project Falcon.", "Ana.role = team lead; Ana leads Project Falcon"),
    ("As CTO of Globex, Ana approves budgets.", "Ana.role = CTO; Ana works_at Globex"),
    ("Globex grew. Wei is the CEO.", "Wei.role = CEO; Wei works_at Globex"),
    ("Globex and Initrode Labs grew. Wei is the CEO.", "Wei.role = CEO"),
    ("Choir leader is Ana.", "Ana.role = Choir leader; Ana leads Choir"),
    ("As usual, Ana called.", ""),
    ("Ana, once a nurse, called.", "not Ana.role = nurse"),
    ("Ana is the best cook I know.", ""),
    ("Ana wants to become a doctor.", ""),
    ("Her postdoc Lars-Erik called.", "Lars-Erik.role = postdoc"),
    ("Tom, formerly CTO of Globex, called.", "not Tom.role = CTO; Tom worked_at Globex"),
    ("Ana Silva, Globex", ""),
]  # fmt: skip

PETS = [
    ("We have two cats, Luna and Sol.", "self has_pet Luna; self has_pet Sol"),
    ("Ana got a puppy, it's called Rex.", "Ana has_pet Rex"),
    ("Rex is Ana's dog.", "Ana has_pet Rex"),
    ("our cat is called Luna", "self has_pet Luna"),
    ("My dog's name is Rex.", "self has_pet Rex"),
    ("Luna, our cat, sleeps all day.", "self has_pet Luna"),
    ("Ana walks her dogs, Rex and Bella, twice a day.", "Ana has_pet Rex; Ana has_pet Bella"),
    ("Ana adopted a puppy. Its name is Rex.", "Ana has_pet Rex"),
    ("Our German shepherd Rex barks.", "self has_pet Rex"),
    ("my dog, a beagle named Max, is sick", "self has_pet Max"),
    ("my cats are called Luna and Sol", "self has_pet Luna; self has_pet Sol"),
    ("Is Luna your cat?", ""),
    ("We had a dog named Rex when I was six.", ""),
    ("We want a dog named Rex.", ""),
    ("The hot dog Ana made was great.", ""),
]

NOTES = [
    ("Priya is a nurse from Porto. Has a dog called Rex.", "Priya comes_from Porto; Priya has_pet Rex"),
    ("The user is a cook from Porto. Has a son called Leo.", "Leo child_of self; self comes_from Porto"),
    ("Ana is a teacher from Lisbon. Works as a cook at Globex.", "Ana works_at Globex; Ana comes_from Lisbon"),
    ("got a kitten last week! her name is Luna", "self has_pet Luna"),
    ("new boss is Ana", "self reports_to Ana"),
    ("Old flatmate Yuki called.", "not Yuki roommate_of self"),
    ("best friend is Kofi", "Kofi friend_of self"),
    ("Tom is married to my cousin Ana. They live in Porto.", "Ana cousin_of self; Tom spouse_of Ana; Tom lives_in Porto; Ana lives_in Porto"),
    ("Ana's husband Tom called. They live in Porto.", "Tom spouse_of Ana; Ana lives_in Porto; Tom lives_in Porto"),
    ("Ana is an architect from Lagos.", "Ana comes_from Lagos"),
    ("Mei is the drummer of our school band.", "Mei member_of school band"),
    ("Just off a call with Mei from Globex.", "Mei works_at Globex"),
    ("A call with Globex today. Their CFO is Ana Silva.", "Ana Silva works_at Globex"),
    ("Zoe is the best friend of my daughter Mia.", "Mia child_of self; Zoe friend_of Mia"),
    ("My daughter Mia's best friend is Zoe.", "Mia child_of self; Zoe friend_of Mia"),
    ("I went to college with Kofi.", "self classmate_of Kofi"),
    ("Ana and Wei went to school together.", "Ana classmate_of Wei"),
    ("Our dog is a beagle named Max.", "self has_pet Max"),
    ("Ana went to school with a cold.", ""),
    ("Ana went to the school with Kofi.", ""),
    ("I didn't go to college with Kofi.", ""),
    ("Did you go to school with Kofi?", ""),
    ("That dog is a beagle named Max.", ""),
    # what only looks like it
    ("Ana and Tom are here. Has a dog called Rex.", ""),
    ("Is Ana from Porto? Has a dog called Rex.", ""),
    ("Ana told Tom about a wife. They live in Porto.", ""),
    ("Ana isn't married to Tom. They live in Porto.", ""),
    ("I drove with Mei from Globex to Oslo.", "self visited Oslo; Mei visited Oslo"),
    ("Ana is no architect from Lagos.", ""),
    ("The new boss of Ana is here.", ""),
    ("Is the new boss Ana?", ""),
    ("next boss is Ana", ""),
    ("A call with Globex and Initrode Labs. Their CFO is Ana Silva.", ""),
    ("got a kitten for Ana's birthday. Is her name Luna?", ""),
]  # fmt: skip

SPEAKER = [
    ("Hi, Tom here from Globex.", "self.name = Tom"),
    ("I go by Robin.", "self.name = Robin"),
    ("Everyone calls me Tom.", "self.name = Tom"),
    ("The user's name is Ana Silva.", "self.name = Ana Silva"),
    ("User's colleague Wei called. He lives in Oslo.", "Wei colleague_of self; Wei lives_in Oslo"),
    ("The user lives in Oslo with her husband Tom. She works at Globex.", "Tom spouse_of self; self lives_in Oslo; Tom lives_in Oslo; self works_at Globex"),
    ("The user is from Porto.", "self comes_from Porto"),
    ("The user is a nurse at Globex.", "self.role = nurse; self works_at Globex"),
    ("The user's dog is called Rex.", "self has_pet Rex"),
    ("The user, whose sister Ana is here, lives in Oslo.", "Ana sibling_of self; self lives_in Oslo"),
    ("The user's screen flickers.", ""),
    ("The user uses Chrome.", ""),
    ("im robin, from porto", "self.name = robin; self comes_from porto"),
    ("I'm Robin's brother.", "self sibling_of Robin"),
    ("The user clicks and is an admin.", ""),
    ("I think that Tom was here.", ""),
]  # fmt: skip


def said(compact: str) -> str:
    """Facts and relations without the names found, in one line; `pets = two cats` is another
    rule's.
    """
    lines = [
        line for line in compact.splitlines() if " = " in line or not line.split()[0].endswith(":")
    ]
    return "; ".join(lines)


def _relations(text: str) -> str:
    return "; ".join(line for line in said(read(text)).split("; ") if " = " not in line)


@pytest.mark.parametrize(("text", "found"), TIES + TOGETHER + GROUPS + PETS + NOTES)
def test_who_belongs_to_whom(text: str, found: str) -> None:
    assert _relations(text) == found


@pytest.mark.parametrize(("text", "found"), WORK + SPEAKER)
def test_who_is_what(text: str, found: str) -> None:
    assert said(read(text)) == found
