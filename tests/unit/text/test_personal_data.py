"""Personal data: numbers and addresses that lead to a person are masked, and nothing that only
looks like them.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.text.personal_data import SORTS, USUAL, check_sorts, redact_label, redact_text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("call me at 415-555-0132", "call me at [phone]"),
        ("my number is (212) 555-0187", "my number is [phone]"),
        ("+44 20 7946 0958", "[phone]"),
        ("mobile: 07700 900123", "mobile: [phone]"),
        ("tel 030 901820", "tel [phone]"),
        ("4155550132 is my cell", "[phone] is my cell"),
        ("phone 555-0132", "phone [phone]"),
        ("+44\u00a020\u00a07946\u00a00958", "[phone]"),
        ("+44\u201120\u20117946\u20110958 or", "[phone] or"),
        ("＋44 20 7946 0958", "[phone]"),
        ("phone +٤٤٢٠٧٩٤٦٠٩٥٨", "phone [phone]"),
        ("+44 (0) 20 / 7946-0958", "[phone]"),
        ("8 (495) 555-01-32", "[phone]"),
        ("(11) 95555-0132", "[phone]"),
        ("my new number is 4155550132", "my new number is [phone]"),
        ("jörg+news@bücher.example", "[email]"),
        ("DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000", "[iban]"),
        ("+4915112345678", "[phone]"),
        ("06 12 34 56 78", "[phone]"),
        ("reach Tom on 0171/2345678.", "reach Tom on [phone]."),
        ("write to ada.l@example.org please", "write to [email] please"),
        ("Ada <ada+news@mail.example.co.uk>", "Ada <[email]>"),
        ("IBAN DE89 3704 0044 0532 0130 00", "IBAN [iban]"),
        ("GB82WEST12345698765432", "[iban]"),
        ("my SSN is 123-45-6789", "my SSN is [id]"),
        ("passport number X1234567", "passport number [id]"),
        ("NI number AB 12 34 56 C", "NI number [id]"),
        ("the server is at 203.0.113.42", "the server is at [ip]"),
        ("IP: 8.8.8.8", "IP: [ip]"),
        ("2001:db8::8a2e:370:7334 logged in", "[ip] logged in"),
        ("I live at 221B Baker Street, London NW1 6XE", "I live at [address]"),
        ("42 Elm St. Apt 5, Springfield, IL 62704", "[address]"),
        ("77 W 3rd Street", "[address]"),
        ("Hauptstraße 12, 10115 Berlin", "[address]"),
        ("12 rue de la Paix, 75002 Paris", "[address]"),
        ("Via Roma 7, 20121 Milano", "[address]"),
        ("PO Box 1234", "[address]"),
        ("my postcode is SW1A 1AA", "my postcode is [address]"),
        ("born on 1990-05-12", "born on [birth_date]"),
        ("my birthday is May 12th", "my birthday is [birth_date]"),
    ],
)
def test_personal_data_is_masked_and_the_rest_stays(text: str, masked: str) -> None:
    assert redact_text(text, SORTS)[0] == masked
    assert redact_text(masked, SORTS) == (masked, {})


@pytest.mark.parametrize(
    "text",
    [
        "order 4155550132",
        "call function 12345678",
        "text 1000000 people",
        "(2019) 12345-1240",
        "react@next.js",
        "netmask 255.255.255.0 on 127.0.1.1",
        "1939\u20131945 and 2023\u20132024",
        "1\u202f234\u202f567\u202f890 euros",
        "invoice 2024-555-0132",
        "order #415-555-0132",
        "version 1.2.3.4",
        "upgrade to 5.4.3.2",
        "10.15.3.2 release",
        "2026-03-02 14:30",
        "call me on 2026-03-02",
        "call at 10:30 tomorrow",
        "ticket 123-456-7890",
        "ISBN 978-3-16-148410-0",
        "$1,234,567",
        "tracking 1Z999AA10123456784",
        "1000000 users",
        "from 2019-2024",
        "SKU 800-555-1212-XL",
        "2 Google Drive folders",
        "100 Best Place to work",
        "git@github.com:acme/atlas.git",
        "npm i @acme/atlas@1.2.3",
        "std::vector<int>",
        "aa:bb:cc:dd:ee:ff",
        "127.0.0.1 and ::1",
        "CVE-2024-12345",
        "lat 52.520008, lon 13.404954",
        "my phone has 128000000000 bytes",
        "May 12th is the launch",
        "IBAN DE00 1234 5678 9012 3456 78",
        "text 3 people by 12/05/2026",
    ],
)
def test_other_numbers_and_names_are_left(text: str) -> None:
    assert redact_text(text, SORTS) == (text, {})


def test_what_is_masked_is_counted_by_sort() -> None:
    text, counts = redact_text("Tom: tom@example.org, eva@example.org, +44 20 7946 0958")
    assert text == "Tom: [email], [email], [phone]"
    assert counts == {"email": 2, "phone": 1}


def test_only_the_sorts_that_are_wished_go() -> None:
    text = "born on 1990-05-12, tom@example.org"
    assert redact_text(text)[0] == "born on 1990-05-12, [email]"
    assert redact_text(text, ("birth_date",))[0] == "born on [birth_date], tom@example.org"
    assert redact_text(text, ())[0] == text


def test_a_wish_names_sorts() -> None:
    assert check_sorts(True) == USUAL
    assert check_sorts(False) == check_sorts("none") == check_sorts("") == ()
    assert check_sorts("phone, ip") == ("phone", "ip")
    assert check_sorts(["all"]) == SORTS
    with pytest.raises(ValueError, match="no sort of personal data is called 'shoe'"):
        check_sorts("shoe")


def test_a_speaker_who_is_a_number_stays_one_speaker_apart_from_others() -> None:
    one, other = (
        redact_label(name, USUAL, "ada")[0] for name in ("+44 20 7946 0958", "+44 20 7946 0959")
    )
    assert one != other
    assert one == redact_label("+44 20 7946 0958", USUAL, "ada")[0]
    assert one != redact_label("+44 20 7946 0958", USUAL, "tom")[0]
    assert "7946" not in one
    assert redact_label("4155550132", USUAL, "ada")[0].startswith("[phone ")
    assert redact_label("Tom Berger", USUAL, "ada") == ("Tom Berger", {})
    assert redact_text(one) == (one, {})


@given(st.text())
def test_redacting_twice_changes_nothing(text: str) -> None:
    once, _ = redact_text(text, SORTS)
    assert redact_text(once, SORTS)[0] == once


@given(st.text(alphabet="0123456789 -().+@a:/,"))
def test_redacting_numbers_twice_changes_nothing(text: str) -> None:
    once, _ = redact_text(text, SORTS)
    assert redact_text(once, SORTS)[0] == once


def test_a_long_text_takes_time_in_proportion() -> None:
    # Each was quadratic once, or worse: minutes instead of moments.
    for part in (
        "+1234567812345678x ",
        "+1 (2) 1 (2) 1 (2) ",
        "(020) 12345-1234-",
        "call 1 2 3 4 ",
        "DE89 3704 3704 ",
    ):
        redact_text(part * 10_000, SORTS)
