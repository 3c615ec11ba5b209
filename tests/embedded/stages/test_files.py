"""Files in stages: PUT, GET, LIST, REMOVE, and who may."""

import gzip
from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

PEOPLE = 'id,name\n1,Ann\n2,"Bob, the builder"\n'


def _refusal(session: AccountSession, sql: str) -> tuple[int | None, str | None]:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    return refused.value.errno, refused.value.sqlstate


@pytest.fixture
def local(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(PEOPLE)
    return tmp_path


@pytest.fixture
def stage(admin: AccountSession, local: Path) -> AccountSession:
    admin.execute("create stage st")
    admin.execute(f"put file://{local}/people.csv @st/in")
    return admin


def test_put_compresses_and_says_what_it_did(admin: AccountSession, local: Path) -> None:
    admin.execute("create stage st")
    first = admin.execute(f"put 'file://{local}/*.csv' @st/in").rows[0]
    again = admin.execute(f"put 'file://{local}/*.csv' @st/in").rows[0]
    assert (first[0], first[1], first[5], first[6]) == (
        "people.csv",
        "people.csv.gz",
        "GZIP",
        "UPLOADED",
    )
    assert again[6] == "SKIPPED"
    assert [row[0] for row in admin.execute("list @st").rows] == ["st/in/people.csv.gz"]


def test_get_brings_the_same_bytes_back(stage: AccountSession, tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    shown = stage.execute(f"get @st/in file://{target}").rows
    assert [(r[0], r[2]) for r in shown] == [("people.csv.gz", "DOWNLOADED")]
    assert gzip.decompress((target / "people.csv.gz").read_bytes()).decode() == PEOPLE


def test_get_wants_a_folder(stage: AccountSession, tmp_path: Path) -> None:
    assert _refusal(stage, f"get @st/in file://{tmp_path}/nowhere") == (253005, "22000")


def test_put_wants_a_file(stage: AccountSession, tmp_path: Path) -> None:
    assert _refusal(stage, f"put file://{tmp_path}/nothing.csv @st") == (253006, "22000")


def test_remove_takes_only_what_matches(stage: AccountSession, local: Path) -> None:
    stage.execute(f"put file://{local}/people.csv @st/other")
    removed = stage.execute("remove @st pattern='in/.*'").rows
    assert removed == (("st/in/people.csv.gz", "removed"),)
    assert [r[0] for r in stage.execute("ls @st").rows] == ["st/other/people.csv.gz"]


def test_user_and_table_stages(admin: AccountSession, local: Path) -> None:
    admin.execute(f"put file://{local}/people.csv @~/mine auto_compress=false")
    admin.execute(f"put file://{local}/people.csv @%people auto_compress=false")
    assert [r[0] for r in admin.execute("list @~").rows] == ["mine/people.csv"]
    assert [r[0] for r in admin.execute("list @%people").rows] == ["people.csv"]


@pytest.mark.parametrize("path", ["../x", "a/../../x", "..", "a/./b", "in/../../../../etc/passwd"])
@pytest.mark.parametrize(
    "sql", ["list @st/{}", "remove '@st/{}'", "select $1 from '@st/{}'", "get '@~/{}' file:///tmp"]
)
def test_no_path_leads_out_of_a_stage(stage: AccountSession, sql: str, path: str) -> None:
    assert _refusal(stage, sql.format(path))[0] in (1008, 1003)


def test_links_in_a_stage_are_not_followed(
    stage: AccountSession, account: Account, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("outside")
    folder = next(p for p in account.files.root().iterdir() if p.name.startswith("stage-"))
    (folder / "link.txt").symlink_to(secret)
    (folder / "dir").symlink_to(tmp_path)
    assert [r[0] for r in stage.execute("list @st").rows] == ["st/in/people.csv.gz"]
    assert _refusal(stage, f"put file://{secret} @st/dir") == (1008, "22023")


def test_a_stage_of_the_same_name_does_not_see_old_files(stage: AccountSession) -> None:
    stage.execute("create or replace stage st")
    assert stage.execute("list @st").rows == ()


def test_a_stage_needs_read_and_write(stage: AccountSession, analyst: AccountSession) -> None:
    put = "put file:///dev/null @st"
    assert _refusal(analyst, "list @st") == (2003, "02000")
    stage.execute("grant read on stage st to role analyst")
    assert len(analyst.execute("list @st").rows) == 1
    assert _refusal(analyst, put) == (3001, "42501")
    assert _refusal(analyst, "remove @st") == (3001, "42501")
    assert _refusal(analyst, "copy into @st/x from people") == (3001, "42501")
    stage.execute("grant write on stage st to role analyst")
    assert analyst.execute("remove @st").row_count == 1


def test_only_its_owner_uses_a_tables_stage(analyst: AccountSession) -> None:
    assert _refusal(analyst, "list @%people") == (3001, "42501")


def test_users_have_stages_of_their_own(admin: AccountSession, local: Path) -> None:
    admin.execute("create user eve default_role = analyst")
    admin.execute("grant role analyst to user eve")
    admin.execute(f"put file://{local}/people.csv @~")
    eve = admin.account.session("EVE", "ANALYST")
    assert eve.execute("list @~").rows == ()


def test_temporary_stages_are_seen_by_their_session_only(
    admin: AccountSession, analyst: AccountSession, account: Account
) -> None:
    admin.execute("create temporary stage mine")
    other = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", "SHOP", "SALES")
    assert admin.execute("show stages").rows[0][10] == "INTERNAL TEMPORARY"
    assert other.execute("show stages").rows == ()
    assert _refusal(other, "list @mine") == (2003, "02000")


@pytest.mark.parametrize(
    ("sql", "errno"),
    [
        ("create stage x url='s3compat://bucket/' endpoint='a.com'", 2),
        ("create stage x nonsense = 1", 1420),
        ("create stage x file_format = (type = xml)", 2),
        ("create stage x file_format = (type = csv skip_header = -1)", 1008),
        ("create file format f type = avro", 2),
        ("create file format f type = json skip_header = 1", 1420),
        ("put file:///dev/null @nowhere", 2003),
        ("put /dev/null @st", 1003),
        ("put file:///dev/null @st nonsense = true", 1420),
        ("copy into 's3://bucket' from people", 2),
        ("copy into @st from people partition by (id)", 2),
        ("copy into people from @st size_limit = 10", 2),
        ("copy into people from @st nonsense = 10", 1420),
        ("copy into people from @st on_error = maybe", 1008),
    ],
)
def test_what_is_not_supported_says_so(stage: AccountSession, sql: str, errno: int) -> None:
    assert _refusal(stage, sql)[0] == errno


def test_files_of_an_account_on_disk_stay_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1\n")
    home = tmp_path / "account"
    with Account.open(home) as account:
        session = account.session("ADMIN")
        session.execute(f"put file://{tmp_path}/a.csv @~ auto_compress=false")
    assert [p.name for p in home.rglob("a.csv")] == ["a.csv"]
    with Account.open(home) as account:
        assert [r[0] for r in account.session("ADMIN").execute("list @~").rows] == ["a.csv"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.csv", "account"]


def test_files_of_an_account_in_memory_go_with_it(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1\n")
    with Account.open() as account:
        account.session("ADMIN").execute(f"put file://{tmp_path}/a.csv @~")
        root = account.files.root()
        assert root.exists()
    assert not root.exists()
