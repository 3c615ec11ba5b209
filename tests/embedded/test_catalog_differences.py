"""What separates two catalogs: an object under another name is the same one, changed."""

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.difference import difference_of
from skills_nb.embedded.engine.account import Account
from skills_nb.ports import CatalogDifference

SETUP = """
CREATE DATABASE "My Shop"; CREATE SCHEMA "My Shop".OPS; CREATE SCHEMA "My Shop"."s";
CREATE TABLE "My Shop".OPS."or.ders" (A INT); CREATE TABLE "My Shop"."s".T (A INT);
CREATE DATABASE ROLE "My Shop"."reader"
"""
OLD = '"My Shop".OPS."or.ders"'


def after(*statements: str) -> CatalogDifference:
    """Return what the statements separate."""
    account = Account.open(None)
    session = account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    for sql in SETUP.split(";"):
        session.execute(sql)
    before = Catalog()
    for record in account.catalog.records():
        before.put(record)
    for sql in statements:
        session.execute(sql)
    found = difference_of(before, account.catalog)
    account.close()
    return found


def test_a_renamed_table_is_changed_and_neither_made_nor_dropped() -> None:
    found = after(f'ALTER TABLE {OLD} RENAME TO "My Shop"."s".NEW')
    changes = {"renamed to": [None, '"My Shop"."s".NEW']}
    named = {"type": "table", "name": "or.ders", "fqn": OLD, "changes": changes}
    assert found == CatalogDifference((), (named,), ())


def test_what_lies_in_a_renamed_schema_is_not_told_of() -> None:
    found = after('ALTER SCHEMA "My Shop".OPS RENAME TO "My Shop"."ops"')
    assert [one["fqn"] for one in found.modified] == ['"My Shop".OPS']
    assert (found.created, found.dropped) == ((), ())


def test_a_table_that_is_dropped_and_made_under_another_name_is_another_one() -> None:
    found = after(f"DROP TABLE {OLD}", 'CREATE TABLE "My Shop".OPS.T2 (A INT)')
    assert [one["fqn"] for one in found.dropped] == [OLD]
    assert [one["fqn"] for one in found.created] == ['"My Shop".OPS.T2']
    assert found.modified == ()


def test_a_table_that_takes_the_name_of_a_renamed_one_leaves_it_made() -> None:
    found = after(f'ALTER TABLE {OLD} RENAME TO "My Shop".OPS.OLD', f"CREATE TABLE {OLD} (B INT)")
    assert [one["fqn"] for one in found.created] == ['"My Shop".OPS.OLD']
    assert found.dropped == ()


def test_constraints_are_told_as_statements_say_them_with_the_names_that_they_were_given() -> None:
    found = after(
        f"ALTER TABLE {OLD} ADD UNIQUE (A)",
        f'ALTER TABLE "My Shop"."s".T ADD CONSTRAINT "by A" FOREIGN KEY (A) REFERENCES {OLD} (A)',
    )
    assert {
        one["fqn"]: one["changes"]["constraints"]
        for one in found.modified
        if one["type"] == "table"
    } == {
        OLD: [[], ["UNIQUE (A)"]],
        '"My Shop"."s".T': [
            [],
            [f'CONSTRAINT "by A" FOREIGN KEY (A) REFERENCES {OLD} (A)'],
        ],
    }


def test_of_a_public_key_its_fingerprint_is_told_and_not_the_whole_key() -> None:
    key = "MIIB" + "A" * 388
    found = after(f"ALTER USER ADMIN SET RSA_PUBLIC_KEY = '{key}'")
    (user,) = found.modified
    ((name, (before, now)),) = user["changes"].items()
    assert (name, before) == ("fingerprint of the public key", "")
    assert now.startswith("SHA256:")
    assert key not in repr(found)


def test_a_database_role_is_told_with_whom_it_was_granted_to() -> None:
    found = after('GRANT DATABASE ROLE "My Shop"."reader" TO ROLE SYSADMIN')
    changes = {"granted to role SYSADMIN": [None, "granted"]}
    fqn = '"My Shop"."reader"'
    named = {"type": "database_role", "name": "reader", "fqn": fqn, "changes": changes}
    assert found == CatalogDifference((), (named,), ())
