"""What is said of people and things by attributes: a sentence, and the facts in it."""

from __future__ import annotations

import pytest

from tests.support.drafts import read

pytestmark = pytest.mark.model

PEOPLE = [
    ("Ana's job title is Head of Sales.", "Ana.role = Head of Sales"),
    ("My role is product designer.", "self.role = product designer"),
    ("Tom (52) and Ana, 34, are here.", "Tom.age = 52; Ana.age = 34"),
    ("i'm kim, 27, from oslo", "self.name = kim; self.age = 27"),
    ("I'm 34, Portuguese, and I live in Oslo.", "self.age = 34; self.nationality = Portuguese"),
    ("Mia is 18 months old.", "Mia.age = 18 months"),
    ("Ana turned 40 on 9 February.", "Ana.age = 40; Ana.birthday = 9 February"),
    ("Tom is a Swiss citizen and fluent in German and Italian.", "Tom.nationality = Swiss; Tom.languages = German; Tom.languages = Italian"),
    ("Ana speaks fluent Spanish and some French.", "Ana.languages = Spanish; Ana.languages = French"),
    ("Tom's native language is Dutch.", "Tom.languages = Dutch"),
    ("My favourite book, Sapiens, is long.", "self.favorite_book = Sapiens"),
    ("Ana's favorite movie (Arrival) made her cry.", "Ana.favorite_movie = Arrival"),
    ("Dune is my favourite film, my favourite colour is teal.", "self.favorite_film = Dune; self.favorite_color = teal"),
    ("Tom drives an old Saab.", "Tom.car = old Saab"),
    ("Ana is on parental leave until July.", "Ana.status = on parental leave until 2024-07"),
    ("Don't ask Tom, he is out of office.", "Tom.status = out of office"),
    ("Omar is thirty-four and weighs 80 kg.", "Omar.age = thirty-four; Omar.weight = 80 kg"),
    ("Omar is married, my pronouns are they/them.", "Omar.marital_status = married; self.pronouns = they/them"),
    ("My flight is LH 1182 and our gate is B12.", "self.flight = LH 1182; self.gate = B12"),
    ("Ana lives at 12 Mill Street.", "Ana.address = 12 Mill Street"),
    # contacts
    ("Ana's email is ana.silva@example.org and her number is 06 30 555 0142.", "Ana.email = ana.silva@example.org; Ana.phone = 06 30 555 0142"),
    ("You can reach me at ada@example.org.", "self.email = ada@example.org"),
    ("My phone number at work is +47 22 55 01 93.", "self.phone = +47 22 55 01 93"),
    ("Call Tom at +1 415 555 0132.", "Tom.phone = +1 415 555 0132"),
    ("My address is 12 Mill Street and my postcode is 0551.", "self.address = 12 Mill Street; self.postal_code = 0551"),
    # health
    ("Ana has a peanut allergy and an allergy to cats.", "Ana.allergies = peanut; Ana.allergies = cats"),
    ("My son Ivo can't eat shellfish and his sister Mia is lactose intolerant.", "Ivo.diet = no shellfish; Mia.diet = lactose intolerant"),
    ("I'm allergic to nuts and my son Ivo can't have gluten.", "self.allergies = nuts; Ivo.diet = no gluten"),
    ("Tom doesn't eat pork.", "Tom.diet = no pork"),
    ("Ana is diabetic and Tom suffers from migraines.", "Ana.condition = diabetic; Tom.condition = migraines"),
    ("Ana is a nurse. She's vegan.", "Ana.role = nurse; Ana.diet = vegan"),
    ("I take ibuprofen twice a day, Tom is on insulin.", "self.medication = ibuprofen; Tom.medication = insulin"),
    ("Our cat Pixel is 14 and on a kidney diet.", "Pixel.diet = kidney diet; Pixel.age = 14"),
    ("Omar was diagnosed with asthma in 2019.", "Omar.condition = asthma since 2019"),
    ("Rita has celiac disease. Ana's allergic to penicillin.", "Rita.condition = celiac disease; Ana.allergies = penicillin"),
    # not said
    ("Our daughter Mia turns 6 next week.", ""),
    ("My password is hunter2, my house is 120 years old, my train is 5 minutes late.", ""),
    ("When I turned ten, we moved.", ""),
    ("Ana is 5 minutes late and turned 5 pages.", ""),
    ("Call Tom, 3 times if you must.", ""),
    ("Is Ana vegan? Ana might be allergic to cats.", ""),
    ("If you are vegan, tell me.", ""),
    ("Ana can't eat at noon and can't have visitors today.", ""),
    ("Ana doesn't eat breakfast.", ""),
    ("You can email tom@example.org for tickets.", ""),
    ("His old email was tom@example.org.", ""),
    ("My order number is 4711 0815 22.", ""),
    ("The invoice number is 2024-000123456.", ""),
    ("My number one priority is sleep.", ""),
    ("Tom's skills are amazing.", ""),
    ("I want to drive a Volvo.", ""),
    ("I'm on a boat, he is on fire.", ""),
    ("Ana isn't vegan.", "not Ana.diet = vegan"),
]  # fmt: skip

THINGS = [
    ("the ios app is at version 7.3.1, android still 7.2.8", "ios app.version = 7.3.1; android.version = 7.2.8"),
    ("payments-api uses Redis. Current version is 4.12.0.", "payments-api.version = 4.12.0"),
    ("We upgraded payments-api to 2.4.1 last week.", "payments-api.version = 2.4.1 since 2024-05"),
    ("payments-api was bumped to version 3.", "payments-api.version = 3"),
    ("The current version of payments-api is 2.4.1.", "payments-api.version = 2.4.1"),
    ("FALC-7: assigned to Ana, due 3 June, status in review.", "FALC-7.deadline = 2024-06-03; FALC-7.status = in review"),
    ("FALC-7 (due 3 June, on hold)", "FALC-7.deadline = 2024-06-03; FALC-7.status = on hold"),
    ("Project Falcon: budget $40k, priority high, version 2.1", "Project Falcon.budget = $40k; Project Falcon.priority = high; Project Falcon.version = 2.1"),
    ("The status of Project Falcon is red.", "Project Falcon.status = red"),
    ("Project Falcon is 80% done.", "Project Falcon.status = 80% done"),
    ("The Spring Sale campaign has been paused.", "Spring Sale.status = paused"),
    ("We cancelled the Spring Sale campaign in March.", "Spring Sale.status = cancelled since 2024-03"),
    ("The migration is on hold.", "migration.status = on hold"),
    ("The Spring Sale campaign has a budget of $32k.", "Spring Sale.budget = $32k"),
    ("Ana approved the travel budget of 14,000 euros.", "travel budget.budget = 14,000 euros"),
    ("We raised the Project Falcon budget to $50k.", "Project Falcon.budget = $50k"),
    ("Our budget is 40,000 euros.", "self.budget = 40,000 euros"),
    ("The deadline for Project Falcon was moved to 3 June.", "Project Falcon.deadline = 2024-06-03"),
    ("Project Falcon launches on 3 June.", "Project Falcon.launch_date = 2024-06-03"),
    ("Figma costs $15 per month.", "Figma.price = $15 per month"),
    ("Globex has 200 employees.", "Globex.size = 200 employees"),
    ("The thesis has to be submitted by 30 September.", "thesis.deadline = 2024-09-30"),
    ("The paper is due on Friday.", "paper.deadline = 2024-05-17"),
    ("Notion is $10 per user per month.", "Notion.price = $10 per user per month"),
    ("auth-service v2.3.0 is live.", "auth-service.version = 2.3.0"),
    ("The status of FALC-7 changed to in review.", "FALC-7.status = in review"),
    ("Project Heron's status: amber", "Project Heron.status = amber"),
    ("The wedding is on 12 July and my passport expires on 4 June.", "wedding.date = 2024-07-12; passport.expiry_date = 2024-06-04"),
    ("Project Heron went live in March.", "Project Heron.status = live since 2024-03"),
    # figures
    ("CTR is up 12%, churn rose by 8%.", ""),
    ("open rate was 24%, click rate 3.1%", "open rate.value = 24%; open rate.unit = %; click rate.value = 3.1%; click rate.unit = %"),
    ("Our Q2 churn is 3.4%, MRR is $412k.", "churn.value = 3.4%; churn.unit = %; churn.period = Q2; MRR.value = $412k; MRR.unit = $"),
    ("NPS rose from 30 to 42.", "NPS.value = 42"),
    ("Latency is 120 ms.", "Latency.value = 120 ms; Latency.unit = ms"),
    ("The Spring Sale campaign's CTR is 3%.", "CTR.value = 3%; CTR.unit = %; CTR.campaign = Spring Sale"),
    ("My heart rate is 60 bpm and my blood pressure is 120 over 80.", "self.heart_rate = 60 bpm; self.blood_pressure = 120 over 80"),
    # not said
    ("Python 3.8 is old.", ""),
    ("Is payments-api at version 3.2.1?", ""),
    ("We plan to upgrade payments-api to 3.2.1.", ""),
    ("payments-api is not at version 3.2.1 yet.", ""),
    ("Is the migration on hold?", ""),
    ("The apple is red and the door is open.", ""),
    ("Project Falcon might be cancelled.", ""),
    ("My budget is tight.", ""),
    ("Cost of living is $3000.", ""),
    ("We hope churn is 3%.", ""),
    ("What if churn was 3%?", ""),
    ("The pipeline was red yesterday.", ""),
]  # fmt: skip


def facts(text: str) -> str:
    return "; ".join(line for line in read(text).splitlines() if " = " in line)


@pytest.mark.parametrize(("text", "found"), PEOPLE)
def test_what_people_are_and_have(text: str, found: str) -> None:
    assert facts(text) == found


@pytest.mark.parametrize(("text", "found"), THINGS)
def test_how_things_stand(text: str, found: str) -> None:
    assert facts(text) == found
