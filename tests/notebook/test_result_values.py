"""What a query found is a value: in a variable, in `_`, and shown once."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pandas
import pytest

from skills_nb.errors import UsageError
from skills_nb.notebook.result_frames import frame_of
from skills_nb.ports import QueryRows

NUMBERS = QueryRows(
    ("N", "D", "BIG", "S", "DAY", "B"),
    ((1, "1.50", 2**70, "x", "2024-01-02", True), (None, None, None, None, None, None)),
    2,
    types=("FIXED", "FIXED", "FIXED", "TEXT", "DATE", "BOOLEAN"),
)


def shown() -> bool:
    return False


def test_columns_have_the_types_of_their_values() -> None:
    found = frame_of(NUMBERS, shown)
    assert [str(kind) for kind in found.dtypes] == [
        *("Int64", "float64", "object", "object", "datetime64[ns]", "boolean")
    ]
    assert found.iloc[0].tolist() == [1, 1.5, 2**70, "x", pandas.Timestamp("2024-01-02"), True]
    assert found.iloc[1].isna().all()


def test_whole_numbers_of_64_bits_keep_their_last_digit() -> None:
    rows = QueryRows(("N",), ((2**53 + 1,), (-(2**63),)), 2, types=("FIXED",))
    found = frame_of(rows, shown)
    assert (str(found["N"].dtype), found["N"].tolist()) == ("int64", [2**53 + 1, -(2**63)])


def test_no_rows_and_names_given_twice_are_values_too() -> None:
    assert frame_of(QueryRows(("A",), (), 0, types=("FIXED",)), shown).shape == (0, 1)
    twice = QueryRows(("A", "A"), ((1, "x"),), 1, types=("FIXED", "TEXT"))
    assert list(frame_of(twice, shown).columns) == ["A", "A"]


def test_what_is_made_of_a_value_is_a_plain_frame() -> None:
    assert type(frame_of(NUMBERS, shown).head(1)) is pandas.DataFrame


def test_texts_cannot_be_plotted_and_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("skills_nb.notebook.result_frames.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="pandas is not installed"):
        frame_of(NUMBERS, shown)
    monkeypatch.undo()
    texts = frame_of(QueryRows(("S",), (("x",),), 1, types=("TEXT",)), shown)
    wanted = "no column holds numbers" if find_spec("matplotlib") else "matplotlib is not installed"
    with pytest.raises(UsageError, match=wanted):
        _ = texts.plot
    if find_spec("matplotlib") is None:
        return
    assert frame_of(NUMBERS, shown).plot is not None


@pytest.fixture
def cells(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Return what runs a cell in a shell of its own and gives back its result and output."""
    from IPython.core.interactiveshell import InteractiveShell

    monkeypatch.chdir(tmp_path)
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "skills_nb")

    def run(text: str) -> tuple[Any, str]:
        capsys.readouterr()
        result = shell.run_cell(text, store_history=True)
        return result.result, capsys.readouterr().out

    run.shell = shell  # type: ignore[attr-defined]
    yield run
    shell.run_line_magic("unload_ext", "skills_nb")


@pytest.mark.slow
def test_a_value_is_kept_quietly_and_shown_once(cells: Any) -> None:
    result, said = cells("df = %skill sql SELECT 1 AS N")
    assert (result, said) == (None, "")
    assert cells("df['N'].sum()")[0] == 1
    found, said = cells("%skill sql SELECT 7 AS SEVEN")
    assert said.count("'text/plain'") == 1
    assert found["SEVEN"].tolist() == cells("_['SEVEN'].tolist()")[0] == [7]
    assert "SEVEN" in cells("%%sql\nSELECT 8 AS SEVEN")[1]
    assert cells("%%sql r <<\nSELECT SEQ4() AS S FROM TABLE(GENERATOR(ROWCOUNT => 300))")[1] == ""
    assert cells("len(r)")[0] == 300
    assert (
        "100 more not shown; the value has them all"
        in cells("%%sql\nSELECT SEQ4() AS S FROM TABLE(GENERATOR(ROWCOUNT => 300))")[1]
    )


@pytest.mark.slow
def test_the_session_that_is_named_is_the_one_of_the_threads(cells: Any) -> None:
    # `get_ipython` knows one shell; this one is asked as a kernel would be.
    app = cells.shell._skills_nb_magics.door.app
    session = app.wiring.live_session()
    assert session is app.wiring.snowpark
    session.sql("USE SCHEMA PROD.PUBLIC").collect()
    assert cells("x = %skill sql SELECT CURRENT_SCHEMA() AS S")[1] == ""
    assert cells("x['S'].tolist()")[0] == ["PUBLIC"]
    cells.shell.user_ns["mine"] = session
    assert "PUBLIC" in cells("%skill connect --session mine")[1]
    assert app.wiring.live_session() is session


def test_another_extensions_sql_stays_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()

    def theirs(line: str, cell: str) -> str:
        return "theirs"

    shell.register_magic_function(theirs, "cell", "sql")
    shell.run_line_magic("load_ext", "skills_nb")
    assert "stays so" in capsys.readouterr().out
    assert shell.run_cell_magic("sql", "", "SELECT 1") == "theirs"
    shell.run_line_magic("unload_ext", "skills_nb")
    assert shell.run_cell_magic("sql", "", "SELECT 1") == "theirs"
