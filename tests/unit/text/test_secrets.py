"""Masking of secrets. The keys here are made up, and put together so that no scanner takes them for
real ones.
"""

from __future__ import annotations

import json
import random
import string
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factbook.text.secrets import mask_secrets
from tests.support.secret_sets import load_forms, load_ordinary

LOCOMO = Path(__file__).parents[4] / "shared" / "data" / "locomo" / "locomo_dev6.json"
ANY = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def made_up(length: int, letters: str = ANY) -> str:
    return "".join(random.Random(length).choices(letters, k=length))


BLOCK = "\n".join(made_up(60 + n) for n in range(5))
DASHES = "-" * 5

SECRETS = {
    "aws id": ("use {} for the bucket", "AKIA" + made_up(16, "ABCDEFGHJKLMNPQRSTUVWXYZ234567")),
    "aws key": ("AWS_SECRET_ACCESS_KEY={} in eu-west-1", made_up(40)),
    "github": ("my token is {} please don't share it", "gh" + "p_" + made_up(36)),
    "github in a url": (
        "clone https://x-access-token:{}@github.com/acme/atlas.git",
        "gh" + "o_" + made_up(36),
    ),
    "gitlab": ("GitLab: {}", "gl" + "pat-" + made_up(20)),
    "slack": ("SLACK_TOKEN: {}", "xo" + "xb-" + "123456789012-123456789013-" + made_up(24)),
    "slack hook": (
        "post to {}",
        "https://hooks.slack.com/" + "services/T" + made_up(8) + "/B1/" + made_up(24),
    ),
    "openai": ("set OPENAI_API_KEY={}", "sk" + "-proj-" + made_up(60)),
    "anthropic": ("here: {}", "sk" + "-ant-api03-" + made_up(93) + "AA"),
    "google": ("maps key {}", "AI" + "za" + made_up(35)),
    "stripe": ("stripe {}", "sk" + "_live_" + made_up(24)),
    "jwt": (
        "Bearer {}",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + made_up(43),
    ),
    "url": ("connect to postgres://ada:{}@db.example.com:5432/atlas", "hunter2pass"),
    "key block": (
        "the key:\n{}\nthanks",
        f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n{BLOCK}\n{DASHES}END PRIVATE KEY{DASHES}",
    ),
    "cut key block": ("{}", f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}\n{BLOCK}"),
    "pgp block": (
        "{}",
        f"{DASHES}BEGIN PGP PRIVATE KEY BLOCK{DASHES}\n\n{BLOCK}\n{DASHES}END PGP PRIVATE KEY BLOCK{DASHES}",
    ),
    "api key": ("our API key is {}", made_up(24)),
    "json": ('{{"apiKey": "{}"}}', made_up(32)),
    "client secret": ("client_secret={}&x=1", made_up(32)),
    "account key": ("AccountKey={};EndpointSuffix=core.windows.net", made_up(86) + "=="),
    "age": ("{}", "AGE-SECRET-" + "KEY-1" + made_up(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")),
    "password": ("my password is {}", "hunter2!X"),
    "password in German": ("Das Passwort für das Gäste-WLAN lautet {}.", "Sommer2024x"),
    "password in French": ("mot de passe : {}", "azerty99x"),
    "password in Spanish": ("la contraseña es {}", "Clave123x"),
    "short word for it": ("pw: {}", "hunter2x"),
    "pin of mine": ("my pin's {}", "4711"),
    "card with other spaces": ("{}", "4111\u00a01111\u00a01111\u00a01111"),
    "card with dashes": ("{}", "4111\u20131111\u20131111\u20131111"),
    "password at an end": ("My password is {}.", "password123"),
    "password of something": ("the password for the staging database is {}!", "Blue42-x"),
    "two words": ("the wifi password is {}", "BlueHorse"),
    "password and colon": ("password: {}", "Tr0ub4dor&3"),
    "plain password and colon": ("Password: {}", "sunshine"),
    "plain password": ("My new password is {}, remember it", "sunflower"),
    "assigned": ("pwd={};Server=x", "Zx9!kkq2"),
    "quoted": ('login is ada and the password "{}"', "correct-horse-42"),
    "pass": ('pass="{}"', "x9fjj2"),
    "no verb": ("username ada password {}", "hunter22"),
    "pin": ("my bank PIN is {}", "4921"),
    "pin of something": ("the pin for my card is {}", "4921"),
    "code": ("the door code is {}#", "4921"),
    "cvv": ("cvv {} on the back", "123"),
    "visa": ("my card is {}", "4111 1111 1111 1111"),
    "mastercard": ("{} exp 12/28", "5500005555555559"),
    "amex": ("amex {}", "3782-822463-10005"),
    "discover": ("number:{}.", "6011000990139424"),
}

ORDINARY = """
The secret is to use more garlic.
Secret: I love karaoke!
My password isn't working again, can you reset it?
I forgot my password so I had to call Tom.
The password is too long for the form.
The password is wrong, I think.
The password is required
My password is not secure enough.
Your password is expired, reset it.
Her password is amazing.
The password is 8-12 characters long.
Password is case sensitive
Password resets are handled by Priya.
What is the password policy at Acme?
My wifi password is the same as before
password manager: 1Password or Bitwarden?
password is on the vault at https://vault.example.com/x1
Das Passwort ist abgelaufen, Kennwort vergessen?
la contraseña es obligatoria
pw: TBD
The passphrase is something only you know.
Meeting ID: 812 3456 7890, passcode on the invite
pwd is /home/ada
PIN codes are four digits.
The pin is stuck in the fabric.
The key is under the mat.
Our api keys are stored in the vault.
The API key is missing from the config.
The access token expires after 60 minutes.
The token budget is 1000 tokens per answer.
We decided that the client secret rotates every 90 days.
token: ${{ secrets.GITHUB_TOKEN }}
api_key = os.environ["OPENAI_API_KEY"]
password = input("Password: ")
password=$DB_PASSWORD
class PasswordReset(View): pass
def get_token(self): return self._token
commit 3f5c2b1a9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a broke the build
the sha256 is 8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6
see issue 550e8400-e29b-41d4-a716-446655440000 for details
Call me at +1 415 555 0132 or 415-555-0199.
My order number is 1234567890123456.
Its twin is 4111 1111 1111 1112.
ISBN 978-3-16-148410-0 is the book I read.
We use postgres://localhost:5432/atlas in tests.
Email ada@example.com and cc tom.berger@example.org.
https://example.com/path/to/some/really-long-page-name-with-dashes?id=123456789
The version is 1.2.3-alpha.4+build.567
Timestamps like 1700000000000 are in ms.
She said "bearer of bad news" and laughed.
"""


@pytest.mark.parametrize("case", SECRETS)
def test_a_secret_is_masked_and_the_rest_stays(case: str) -> None:
    frame, secret = SECRETS[case]
    masked, counts = mask_secrets(frame.format(secret))
    before, after = frame.format("\0").split("\0")
    assert masked.startswith(before)
    assert masked.endswith(after)
    assert masked[len(before) :].startswith("[secret:")
    assert sum(counts.values()) == 1


@pytest.mark.parametrize("case", SECRETS)
def test_masking_again_changes_nothing(case: str) -> None:
    frame, secret = SECRETS[case]
    masked, _ = mask_secrets(frame.format(secret))
    assert mask_secrets(masked) == (masked, {})


@pytest.mark.parametrize("text", ORDINARY.strip().splitlines())
def test_ordinary_talk_stays_as_it_is(text: str) -> None:
    assert mask_secrets(text) == (text, {})


def test_no_sentence_of_long_real_conversations_is_masked() -> None:
    if not LOCOMO.exists():
        pytest.skip("../shared/data/locomo is not here")
    conversations = [each["conversation"] for each in json.loads(LOCOMO.read_text("utf-8"))]
    texts = [
        turn["text"]
        for each in conversations
        for value in each.values()
        if isinstance(value, list)
        for turn in value
    ]
    assert len(texts) > 1000
    assert [text for text in texts if mask_secrets(text)[1]] == []


def test_no_line_of_code_configuration_or_talk_without_a_secret_is_masked() -> None:
    ordinary = [text for text, _ in load_ordinary()]
    assert len(ordinary) > 400
    assert [mask_secrets(text)[0] for text in ordinary if mask_secrets(text)[1]] == []


def test_secrets_are_masked_in_nineteen_of_twenty_forms() -> None:
    forms = load_forms()
    missed = [form.text for form in forms if form.survives(mask_secrets(form.text)[0])]
    assert len(forms) > 250
    assert len(missed) <= 0.02 * len(forms), missed


def test_masking_the_forms_again_changes_nothing() -> None:
    masked = [mask_secrets(form.text)[0] for form in load_forms()]
    assert [text for text in masked if mask_secrets(text)[1]] == []


@pytest.mark.parametrize(
    "text",
    [
        "seed phrase: these are the words that you write down and then never show them anyone",
        "2fa code ABCDEFGHIJKLMNOPQRST, totp abcdefghijklmnop23",
        "pin = 123; cvc pad",
        "they changed the password from something to nothing",
        "password=ab password='ab' password='x(' token=abc",
        "password = hash2[0], password = digest1{x}",
        "password = 'Forgot it again?', password = 'Mine, 12 signs:'",
        "<input name='password' value='{{ x }}'>",
        "the monkeys' key and a donkey: 1fc8b3b9a1e18e3b",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCD and abcdefghijklmnopqrst0123456789abcdefghij",
    ],
)
def test_what_only_begins_like_a_secret_stays(text: str) -> None:
    assert mask_secrets(text) == (text, {})


def test_a_letter_that_grows_when_it_is_small_moves_no_mark() -> None:
    assert mask_secrets("İİİ password: Blue42!x")[0] == "İİİ password: [secret:password]"


def test_code_that_reads_a_secret_keeps_its_meaning() -> None:
    code = "password = db.Column(db.String(120))\ntoken = os.environ['API_TOKEN2']\nkey = f'{user.secret1}'"
    assert mask_secrets(code) == (code, {})


def test_what_a_word_announces_is_masked_and_its_surroundings_stay() -> None:
    masked, _ = mask_secrets("login(user, password='Tr0ub4dor&3')  # was: password=old_password2")
    assert masked == "login(user, password='[secret:password]')  # was: password=old_password2"
    masked, counts = mask_secrets("the old password was Winter2023!, the new one is Sommer2024!")
    assert masked == "the old password was [secret:password]!, the new one is [secret:password]!"
    assert counts == {"password": 2}


def test_several_secrets_are_counted_by_kind() -> None:
    masked, counts = mask_secrets("PIN: 4921, card 4111111111111111, cvv 123, password: Blue42!x")
    assert (
        masked
        == "PIN: [secret:pin], card [secret:card], cvv [secret:pin], password: [secret:password]"
    )
    assert counts == {"pin": 2, "card": 1, "password": 1}


def test_what_a_mark_stands_beside_is_still_looked_at() -> None:
    masked, counts = mask_secrets("[secret:key] and my password is Blue42!x")
    assert masked == "[secret:key] and my password is [secret:password]"
    assert counts == {"password": 1}


def test_a_key_across_two_windows_of_a_long_text_is_masked() -> None:
    token = "gh" + "p_" + made_up(36)
    for shift in range(0, 40, 7):
        text = "so it goes. " * 1000
        cut = 12288 - 20 + shift
        masked, counts = mask_secrets(f"{text[:cut]} {token} {text[cut:]} {text}")
        assert token not in masked
        assert counts == {"github_token": 1}


def _seconds(part: str, size: int) -> float:
    text = (part * size)[:size]
    start = time.process_time()
    mask_secrets(text)
    return time.process_time() - start


def test_a_long_text_takes_time_in_proportion() -> None:
    # Each was quadratic once, here or in the library: minutes instead of moments.
    parts = (
        "token=a1 ",
        "secret:",
        "password is ",
        "4111 ",
        f"{DASHES}BEGIN PRIVATE KEY{DASHES}",
        "pin for a ",
        "pass: ",
    )
    for part in (
        *parts,
        "密码",
        "password('",
        "curl -u ",
        "login a:b1c2 ",
        "seed word ",
        "backup code ab1c2d ",
        "connect(",
    ):
        once = _seconds(part, 25_000)
        assert _seconds(part, 100_000) < 4 * 2.6 * max(once, 0.05)


@settings(max_examples=200)
@given(st.text(st.characters()))
def test_any_text_is_taken(text: str) -> None:
    masked, counts = mask_secrets(text)
    assert mask_secrets(masked) == (masked, {})
    assert bool(counts) == (masked != text)


_PARTS = st.sampled_from(
    [
        "password",
        " is ",
        ": ",
        "=",
        "secret",
        "token ",
        "a1b2c3d4e5f6",
        "4111111111111111",
        "[secret:key]",
        "'",
        "pin ",
    ]
)


@settings(max_examples=300)
@given(st.lists(_PARTS | st.text(max_size=3), max_size=12).map("".join))
def test_what_looks_like_secrets_is_masked_once_and_for_all(text: str) -> None:
    masked, _ = mask_secrets(text)
    assert mask_secrets(masked) == (masked, {})


def test_half_a_surrogate_pair_does_not_hide_a_secret() -> None:
    masked, _ = mask_secrets("\ud800 password: Blue42!x")
    assert masked == "\ud800 password: [secret:password]"


def test_the_library_is_loaded_only_when_a_text_is_masked() -> None:
    code = "import sys, factbook.text.secrets; print('redact_secret' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
