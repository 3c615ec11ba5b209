"""A saved notebook as others read it: exported, and with nobody to click."""

import nbformat
import pytest
from nbconvert import HTMLExporter

from skills_nb.notebook import cards
from skills_nb.views import rows_table
from skills_nb.views.threads.thread_card import ThreadCard


def exported(*bundles):
    notebook = nbformat.v4.new_notebook()
    outputs = [nbformat.v4.new_output("display_data", data=bundle) for bundle in bundles]
    cell = nbformat.v4.new_code_cell("%skill status", outputs=outputs)
    notebook.cells = [cell]
    nbformat.validate(notebook)
    html, _ = HTMLExporter().from_notebook_node(notebook)
    return html


@pytest.mark.slow
def test_an_exported_notebook_keeps_the_cards_and_their_style(skill, screen):
    skill("route secure my data")
    html = exported(*screen.outputs)

    assert 'class="sk"' in html
    assert 'aria-label="playbooks/secure-sensitive-data: ' in html
    assert "%skill run playbooks/secure-sensitive-data --dry-run" in html
    assert "border-left:6px solid var(--sk-tone)" in html


def test_buttons_leave_their_names_where_they_cannot_be_clicked(shell, skill, screen):
    shell._skills_nb_magics.settings.ui = "widgets"
    skill("route secure my data")
    plain = {"text/plain": screen.texts[1]}

    assert "[buttons: Preview, Run step by step, " in exported(plain)


def test_production_is_loud_in_every_form():
    card = ThreadCard("Mask", "t", "running", "info", "Account PROD1 · role R", is_production=True)
    bundle = cards.bundle(card)

    assert '<p class="sk-loud">! PRODUCTION: Account PROD1 · role R</p>' in bundle["text/html"]
    assert "!! PRODUCTION !! Account PROD1 · role R" in bundle["text/plain"]
    assert "sk-loud" not in cards.bundle(rows_table(["N"], [[1]]))["text/html"].split("</style>")[1]


def test_rows_say_which_account_answered_and_as_whom(skill, screen):
    skill('sql "SELECT 1 AS N" --role ANALYST')

    assert "Account SKILLS_NB-EMBEDDED · role ANALYST · warehouse COMPUTE_WH" in screen.texts[0]
