"""What a column's name says."""

import pytest

from skills_nb.embedded.classification.names import NameEvidence, read_name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CUSTOMER_EMAIL", ("customer", "email")),
        ("customerEMailAddr2", ("customer", "e", "mail", "addr", "2")),
        ("HTTPUrl", ("http", "url")),
        ("Straße und Ort", ("strasse", "und", "ort")),
        ("Führerschein-Nr.", ("fuhrerschein", "nr")),
        ("電話番号", ("電話番号",)),
        ("", ()),
    ],
)
def test_names_are_split_into_words(name, words):
    assert read_name(name).words == words


@pytest.mark.parametrize("name", ["e_mail", "EMail", "customer_email", "EMAIL_2", "email_work"])
def test_a_phrase_is_found_however_it_is_joined_and_numbered(name):
    assert any("email" in runs for runs in read_name(name).phrases)


@pytest.mark.parametrize("name", ["email_opt_in", "has_email", "email_count", "emailed", "gmail_x"])
def test_a_phrase_inside_a_name_about_something_else_is_not(name):
    assert not any("email" in runs for runs in read_name(name).phrases)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("name", NameEvidence.HINT),
        ("c_name", NameEvidence.HINT),
        ("customer_name", NameEvidence.LIKELY),
        ("name_of_customer", NameEvidence.HINT),
        ("product_name", NameEvidence.NONE),
    ],
)
def test_a_bare_name_counts_as_far_as_persons_own_it(name, said):
    assert read_name(name).person is said


def test_of_a_person_at_the_end_does_not_hide_the_phrase():
    assert "phone" in read_name("phone_of_customer").phrases[0]
    assert not any("name" in runs for runs in read_name("name_of_product").phrases)
