from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Source
from gatherum.registry import load_registry

REGISTRY = load_registry()


def message(subject="Harvest", body="Words of the body.\n", **headers):
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = subject, "Ana Ruiz <ana@example.org>", "bo@example.org"
    made["Date"] = "Tue, 02 Jun 2020 10:00:00 +0200"
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content(body)
    return made


def read(made, name="letter.eml"):
    return REGISTRY.read(Source(name, made if isinstance(made, bytes) else made.as_bytes()))


def texts(document, layer="body"):
    return [section.text for section in document.sections if section.layer == layer]


def test_subject_people_and_body():
    document = read(message("Größe", "Grüße\n"))
    assert document.state == "read"
    assert {section.heading for section in document.sections} == {("Größe",)}
    assert texts(document) == ["Grüße"]
    assert "From: Ana Ruiz <ana@example.org>" in texts(document, "metadata")[0]
    assert (document.metadata.title, document.metadata.authors) == ("Größe", ("Ana Ruiz",))
    assert document.metadata.created == "2020-06-02T10:00:00+02:00"


def test_of_two_forms_the_plain_one_is_read():
    made = message(body="Plain words of some length.\n")
    made.add_alternative("<p>Rich words of some length.</p>", subtype="html")
    assert texts(read(made)) == ["Plain words of some length."]


def test_the_other_form_is_read_when_the_plain_one_says_nothing():
    made = message(body="See HTML.\n")
    made.add_alternative("<h1>Top</h1><p>" + "Rich words. " * 9 + "</p>", subtype="html")
    document = read(made)
    assert document.sections[-1].heading == ("Harvest", "Top")
    assert "Rich words." in document.sections[-1].text


def test_attachments_are_read_by_their_own_handlers():
    made = message()
    made.add_attachment("# Plan\n\nwords of the plan", filename="plan.md")
    made.add_attachment(b"\x89PNG....", maintype="image", subtype="png", filename="photo.png")
    document = read(made)
    assert document.state == "read"
    assert document.sections[-1].heading == ("Harvest", "plan.md", "Plan")
    assert document.sections[-1].text == "words of the plan"
    assert "Attachments: plan.md, photo.png" in texts(document, "metadata")[0]


def test_an_attachment_that_nobody_reads_is_told():
    made = message()
    made.add_attachment(b"....", maintype="application", subtype="x-strange", filename="thing.strange")
    assert [problem.code for problem in read(made).problems] == ["unsupported"]


def test_a_message_inside_a_message_stands_below_it():
    made = message("Outer")
    made.add_attachment(message("Inner", "Words inside.\n"))
    assert read(made).sections[-1].heading == ("Outer", "Inner")
    assert read(made).sections[-1].text == "Words inside."


def test_quoted_lines_are_quotes():
    document = read(message(body="Yes.\n\n> Shall we?\n> Now?\n\nSoon.\n"))
    assert [section.kind for section in document.sections] == ["metadata", "prose", "quote", "prose"]


def test_encoded_words_that_are_damaged_are_kept_as_written():
    document = read(b"From: a@b.example\nSubject: =?utf-8?b?abcde?=\n\nText\n")
    assert document.metadata.title == "=?utf-8?b?abcde?="
    assert document.sections[-1].text == "Text"


def test_raw_eight_bit_headers_and_wrong_charsets():
    raw = "Subject: Größe\nFrom: Jürgen <j@x>\nContent-Type: text/plain; charset=no-such\n\nÜber alles\n".encode()
    document = read(raw)
    assert document.metadata.title == "Größe"
    assert texts(document) == ["Über alles"]


MAILBOX = (
    b"From ana@example.org Tue Jun  2 10:00:00 2020\nSubject: First\n\nWords one.\n>From the start\n\n"
    b"From bo@example.org Tue Jun  2 11:00:00 2020\nSubject: Second\n\nWords two.\n"
)


def test_a_mailbox_is_a_message_after_the_other():
    document = read(MAILBOX, "old.mbox")
    assert [(section.heading, section.locator.start) for section in document.sections] == [
        (("First",), 1),
        (("Second",), 2),
    ]
    assert texts(document) == ["Words one.\nFrom the start", "Words two."]


def test_a_mailbox_is_known_by_its_content():
    document = read(MAILBOX, "old.txt")
    assert (document.format, document.problems[0].code) == ("mbox", "wrong_extension")


@pytest.mark.parametrize(("raw", "code"), [(b"", "empty"), (b"\n \n", "empty"), (bytes(range(256)) * 9, "corrupt")])
def test_what_is_no_mail_is_refused(raw, code):
    document = read(raw)
    assert (document.state, [problem.code for problem in document.problems]) == ("unreadable", [code])


@pytest.mark.parametrize("depth", [50, 5000])
def test_deep_nesting_ends(depth):
    head = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (at, at) for at in range(depth))
    assert read(b"Subject: deep\n" + head + b"\nwords\n").state in {"read", "partial", "unreadable"}
    inside = b"Subject: s\nContent-Type: message/rfc822\n\n" * depth
    assert read(inside + b"Subject: last\n\nwords\n").state in {"read", "partial", "unreadable"}


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2000), st.binary(min_size=1, max_size=6))
def test_damage_never_raises(at, noise):
    made = message()
    made.add_alternative("<p>Rich</p>", subtype="html")
    made.add_attachment("words", filename="a.txt")
    raw = made.as_bytes()
    at %= len(raw)
    for damaged in (raw[:at] + noise + raw[at:], raw[:at], raw[at:]):
        assert "handler_failed" not in [problem.code for problem in read(damaged).problems]


def test_flags_of_apple_mail_are_no_part_of_the_message():
    message = b"Subject: S\n\nbody\n"
    document = read(b"%d\n%b<?xml version='1.0'?><plist>TKFLAGS</plist>\n" % (len(message), message), "a.emlx")
    assert [section.text for section in document.sections] == ["body"]
