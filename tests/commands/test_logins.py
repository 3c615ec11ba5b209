"""Ways to log in, through `connections.toml`, over HTTP, with the real connector.

A key pair is verified by the account; the served account's token stands for a person's OAuth or
programmatic access token. What fails says its repair in one line and changes nothing.
"""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives import serialization as ser
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from skills_nb.commands import App
from skills_nb.commands.home.connections import Connection
from skills_nb.errors import SkillsError, SqlError, UsageError


@pytest.fixture
def served(app):
    return app.invoke(["account", "address"]).document


@pytest.fixture
def client(served, tmp_path, monkeypatch):
    """Another home, which reaches the served account by name only."""
    monkeypatch.setenv("SNOWFLAKE_HOME", str(tmp_path / "snowflake"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    (tmp_path / "snowflake").mkdir()
    client = App(tmp_path / "client")
    yield client
    client.close()


@pytest.fixture
def connection(served, tmp_path):
    """Write the connection `mine`, which logs in as it is told."""

    def write(**options):
        told = {
            "account": "embedded",
            "host": "127.0.0.1",
            "port": served["port"],
            "protocol": "http",
            "user": "ADMIN",
            "login_timeout": 5,
            **options,
        }
        lines = [f"{k} = {v}" if isinstance(v, int) else f'{k} = "{v}"' for k, v in told.items()]
        path = tmp_path / "snowflake" / "connections.toml"
        path.write_text("\n".join(["[mine]", *lines]) + "\n", encoding="utf-8")
        path.chmod(0o600)

    return write


def written(key, path, password=None):
    """Write a private key as people keep it; returns its public half as SQL wants it."""
    sealed = ser.BestAvailableEncryption(password) if password else ser.NoEncryption()
    path.write_bytes(key.private_bytes(ser.Encoding.PEM, ser.PrivateFormat.PKCS8, sealed))
    path.chmod(0o600)
    public = key.public_key()
    return public.public_bytes(ser.Encoding.DER, ser.PublicFormat.SubjectPublicKeyInfo)


@pytest.fixture(scope="module")
def rsa_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def registers(app, der, where="RSA_PUBLIC_KEY"):
    key = base64.b64encode(der).decode()
    app.wiring.session.execute(f"ALTER USER ADMIN SET {where} = '{key}'", role=None, tag="x")


def refused(client, kind=SkillsError):
    with pytest.raises(kind) as caught:
        client.invoke(["connect", "mine"])
    assert client.wiring.connection == Connection()
    assert "\n" not in caught.value.message
    return caught.value


@pytest.mark.parametrize("where", ["RSA_PUBLIC_KEY", "RSA_PUBLIC_KEY_2"])
def test_a_key_pair_logs_in(client, app, connection, rsa_key, tmp_path, where):
    registers(app, written(rsa_key, tmp_path / "key.p8"), where)
    connection(authenticator="SNOWFLAKE_JWT", private_key_file=tmp_path / "key.p8")
    assert client.invoke(["connect", "mine"]).document["current_user"] == "ADMIN"


def test_a_key_on_a_curve_logs_in_too(client, app, connection, tmp_path):
    registers(app, written(ec.generate_private_key(ec.SECP256R1()), tmp_path / "key.p8"))
    connection(authenticator="SNOWFLAKE_JWT", private_key_file=tmp_path / "key.p8")
    assert client.invoke(["connect", "mine"]).document["current_user"] == "ADMIN"


def test_a_key_with_a_passphrase_logs_in(client, app, connection, rsa_key, tmp_path):
    registers(app, written(rsa_key, tmp_path / "key.p8", b"sesame"))
    connection(
        authenticator="SNOWFLAKE_JWT",
        private_key_file=tmp_path / "key.p8",
        private_key_file_pwd="sesame",
    )
    assert client.invoke(["connect", "mine"]).document["current_user"] == "ADMIN"


def test_the_environment_may_tell_the_key(client, app, served, rsa_key, tmp_path, monkeypatch):
    registers(app, written(rsa_key, tmp_path / "key.p8", b"sesame"))
    told = {
        "SNOWFLAKE_ACCOUNT": "embedded",
        "SNOWFLAKE_USER": "ADMIN",
        "SNOWFLAKE_HOST": "127.0.0.1",
        "SNOWFLAKE_PORT": str(served["port"]),
        "SNOWFLAKE_PROTOCOL": "http",
        "SNOWFLAKE_AUTHENTICATOR": "SNOWFLAKE_JWT",
        "SNOWFLAKE_PRIVATE_KEY_FILE": str(tmp_path / "key.p8"),
        "PRIVATE_KEY_PASSPHRASE": "sesame",
    }
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert client.invoke(["connect", "--environment"]).document["current_user"] == "ADMIN"


def test_a_key_that_the_user_does_not_have_is_refused(client, app, connection, rsa_key, tmp_path):
    registers(app, written(rsa_key, tmp_path / "theirs.p8"))
    written(rsa.generate_private_key(public_exponent=65537, key_size=2048), tmp_path / "mine.p8")
    connection(authenticator="SNOWFLAKE_JWT", private_key_file=tmp_path / "mine.p8")
    problem = refused(client, SqlError)
    assert problem.errno == 390144
    assert "JWT token is invalid" in problem.message
    assert "SET RSA_PUBLIC_KEY" in problem.hint


def test_a_key_that_was_taken_away_is_refused(client, app, connection, rsa_key, tmp_path):
    registers(app, written(rsa_key, tmp_path / "key.p8"))
    unset = "ALTER USER ADMIN UNSET RSA_PUBLIC_KEY"
    app.wiring.session.execute(unset, role=None, tag="x")
    connection(authenticator="SNOWFLAKE_JWT", private_key_file=tmp_path / "key.p8")
    assert refused(client, SqlError).errno == 390144


def test_a_key_for_another_account_is_refused(client, app, connection, rsa_key, tmp_path):
    registers(app, written(rsa_key, tmp_path / "key.p8"))
    connection(
        account="elsewhere", authenticator="SNOWFLAKE_JWT", private_key_file=tmp_path / "key.p8"
    )
    assert refused(client, SqlError).errno == 390144


def test_a_sealed_key_without_its_passphrase_says_so(client, app, connection, rsa_key, tmp_path):
    registers(app, written(rsa_key, tmp_path / "key.p8", b"sesame"))
    connection(authenticator="SNOWFLAKE_JWT", private_key_file=tmp_path / "key.p8")
    problem = refused(client)
    assert "private_key_file_pwd" in problem.hint


def test_a_key_file_that_is_not_there_says_so(client, connection, tmp_path):
    connection(authenticator="SNOWFLAKE_JWT", private_key_file=tmp_path / "nowhere.p8")
    problem = refused(client, UsageError)
    assert "nowhere.p8" in problem.message
    assert "private_key_file" in problem.hint


@pytest.mark.parametrize("way", ["OAUTH", "PROGRAMMATIC_ACCESS_TOKEN"])
def test_a_token_logs_in_and_stays_out_of_what_is_kept(client, served, connection, tmp_path, way):
    with open(served["connections"], encoding="utf-8") as file:
        token = next(line.split('"')[1] for line in file if line.startswith("password"))
    connection(authenticator=way, token=token)
    assert client.invoke(["connect", "mine"]).document["current_user"] == "ADMIN"
    kept = [path.read_bytes() for path in (tmp_path / "client").rglob("*") if path.is_file()]
    assert not any(token.encode() in text for text in kept)


@pytest.mark.parametrize(
    ("way", "errno", "repair"),
    [
        ("OAUTH", 390303, "new OAuth token"),
        ("PROGRAMMATIC_ACCESS_TOKEN", 394400, "ADD PROGRAMMATIC ACCESS TOKEN"),
    ],
)
def test_a_wrong_token_is_refused_with_its_repair(client, connection, way, errno, repair):
    connection(authenticator=way, token="not-it")
    problem = refused(client, SqlError)
    assert (problem.errno, repair in problem.hint) == (errno, True)
    assert "not-it" not in problem.message


def test_a_wrong_password_is_refused_with_its_repair(client, connection):
    connection(password="hunter2")
    problem = refused(client, SqlError)
    assert problem.errno == 390100
    assert "hunter2" not in f"{problem.message} {problem.hint}"
    assert "connections.toml" in problem.hint


def test_a_role_that_is_not_held_is_refused_with_its_repair(client, app, connection, served):
    with open(served["connections"], encoding="utf-8") as file:
        token = next(line.split('"')[1] for line in file if line.startswith("password"))
    connection(password=token, role="NOBODYS")
    problem = refused(client, SqlError)
    assert (problem.errno, "role that the user holds" in problem.hint) == (390189, True)


def test_single_sign_on_is_refused_by_an_account_that_has_none(client, connection):
    connection(authenticator="externalbrowser")
    assert "single sign-on" in refused(client, SqlError).message
