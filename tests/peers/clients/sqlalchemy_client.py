"""SQLAlchemy with snowflake-sqlalchemy: engine, DDL, reflection, ORM, MERGE, pandas."""

import datetime
import decimal
import urllib.parse

import pandas as pd
import sqlalchemy as sa
from checks import ACCOUNT, HOST, PASSWORD, PORT, ROLE, USER, WAREHOUSE, check, refused, report
from snowflake.sqlalchemy import ARRAY, OBJECT, TIMESTAMP_LTZ, TIMESTAMP_TZ, URL, VARIANT, MergeInto
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

SECRET = urllib.parse.quote(PASSWORD, safe="")
ADDRESS = f"{HOST}:{PORT}"
REST = f"?account={ACCOUNT}&role={ROLE}&warehouse={WAREHOUSE}"
HTTP = {"protocol": "http"}
engine = sa.create_engine(
    f"snowflake://{USER}:{SECRET}@{ADDRESS}/ALCHEMY/PUBLIC{REST}", connect_args=HTTP
)


class Base(DeclarativeBase):
    pass


class Baker(Base):
    __tablename__ = "bakers"
    id: Mapped[int] = mapped_column(sa.Integer, sa.Sequence("baker_ids"), primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(50), nullable=False, comment="what he's called")
    since: Mapped[datetime.date | None] = mapped_column(sa.Date)
    wage: Mapped[decimal.Decimal | None] = mapped_column(sa.Numeric(10, 2))
    loaves: Mapped[list["Loaf"]] = relationship(back_populates="baker")


class Loaf(Base):
    __tablename__ = "Loaves of bread"
    id: Mapped[int] = mapped_column(sa.Integer, sa.Sequence("loaf_ids"), primary_key=True)
    baker_id: Mapped[int] = mapped_column(sa.ForeignKey("bakers.id", name="baked_by"))
    kind: Mapped[str] = mapped_column("Kind of loaf", sa.String(20), unique=True)
    baked: Mapped[datetime.datetime | None] = mapped_column(sa.DateTime)
    baker: Mapped[Baker] = relationship(back_populates="loaves")


@check
def a_url_with_host_and_port_connects():
    begin = sa.create_engine(f"snowflake://{USER}:{SECRET}@{ADDRESS}/{REST}", connect_args=HTTP)
    with begin.begin() as connection:
        connection.execute(sa.text("CREATE OR REPLACE DATABASE alchemy"))
        connection.execute(sa.text('CREATE OR REPLACE SCHEMA alchemy."Second schema"'))
        assert connection.scalar(sa.text("select current_role()")) == ROLE
    begin.dispose()


@check
def the_dialects_own_url_connects():
    made = URL(account=ACCOUNT, user=USER, password=PASSWORD, host=HOST, port=PORT)
    with sa.create_engine(made, connect_args=HTTP).connect() as connection:
        assert connection.scalar(sa.text("select 1")) == 1


@check
def a_connection_of_connections_toml_connects():
    own = sa.create_engine("snowflake://", connect_args={"connection_name": "embedded"})
    with own.connect() as connection:
        assert connection.scalar(sa.text("select current_user()")) == USER


@check
def tables_are_made():
    Base.metadata.create_all(engine)
    Base.metadata.create_all(engine)
    assert set(sa.inspect(engine).get_table_names()) == {"bakers", "Loaves of bread"}


@check
def rows_are_inserted_by_the_orm():
    with Session(engine) as session:
        ann = Baker(
            name="Ann O'Neil", since=datetime.date(2026, 1, 2), wage=decimal.Decimal("9.99")
        )
        ann.loaves = [Loaf(kind="rye", baked=datetime.datetime(2026, 1, 3, 4, 5, 6, 789))]
        session.add_all([ann, Baker(name="Bé")])
        session.commit()
        assert (ann.id, ann.loaves[0].id) == (1, 1)
    with Session(engine) as session:
        found = session.scalars(sa.select(Baker).order_by(Baker.id)).all()
        assert [(b.id, b.name, b.since, b.wage) for b in found] == [
            (1, "Ann O'Neil", datetime.date(2026, 1, 2), decimal.Decimal("9.99")),
            (2, "Bé", None, None),
        ]
        assert found[0].loaves[0].baked == datetime.datetime(2026, 1, 3, 4, 5, 6, 789)


@check
def rows_are_changed_and_taken_away_by_the_orm():
    with Session(engine) as session:
        session.add_all([Baker(name=f"n{i}", wage=decimal.Decimal("9.99")) for i in range(3)])
        session.commit()
        changed = session.execute(sa.update(Baker).where(Baker.name.like("n%")).values(name="N"))
        assert changed.rowcount == 3
        gone = session.execute(sa.delete(Baker).where(Baker.name == "N"))
        assert gone.rowcount == 3
        session.rollback()
        assert session.scalar(sa.select(sa.func.count()).select_from(Baker)) == 5
        session.execute(sa.delete(Baker).where(Baker.name.like("n%")))
        session.commit()
        assert session.scalar(sa.select(sa.func.sum(Baker.wage))) == decimal.Decimal("9.99")


@check
def joins_and_windows_answer():
    with Session(engine) as session:
        query = (
            sa.select(Baker.name, sa.func.count(Loaf.id), sa.func.rank().over(order_by=Baker.id))
            .outerjoin(Loaf)
            .group_by(Baker.id, Baker.name)
            .order_by(Baker.id)
            .limit(10)
            .offset(0)
        )
        assert [tuple(r) for r in session.execute(query)] == [("Ann O'Neil", 1, 1), ("Bé", 0, 2)]
        several = sa.select(Baker).where(Baker.id.in_([1, 2, 3])).where(Baker.name.ilike("b%"))
        assert [b.id for b in session.scalars(several)] == [2]
        either = sa.union_all(sa.select(Baker.id), sa.select(Loaf.id)).order_by(sa.text("1"))
        assert session.execute(either).scalars().all() == [1, 1, 2]
        recent = sa.select(Baker).cte("recent")
        assert session.scalar(sa.select(sa.func.count()).select_from(recent)) == 2


@check
def columns_are_reflected():
    found = {c["name"]: c for c in sa.inspect(engine).get_columns("bakers")}
    assert list(found) == ["id", "name", "since", "wage"]
    assert isinstance(found["id"]["type"], sa.Numeric)
    assert (found["name"]["type"].length, found["name"]["nullable"]) == (50, False)
    assert found["name"]["comment"] == "what he's called"
    assert (found["wage"]["type"].precision, found["wage"]["type"].scale) == (10, 2)
    assert isinstance(found["since"]["type"], sa.Date)


@check
def an_identity_column_counts_and_is_reflected():
    metadata = sa.MetaData()
    counted = sa.Table(
        "counted",
        metadata,
        sa.Column("n", sa.Integer, sa.Identity(start=10, increment=5), primary_key=True),
        sa.Column("s", sa.String),
    )
    metadata.create_all(engine)
    with engine.begin() as connection:
        for text in ("a", "b"):
            connection.execute(sa.text("insert into counted (s) values (:s)"), {"s": text})
        kept = connection.execute(sa.select(counted).order_by(counted.c.n)).all()
    assert [tuple(row) for row in kept] == [(10, "a"), (15, "b")]
    (n, _) = sa.inspect(engine).get_columns("counted")
    assert n["autoincrement"] is True
    assert (n["identity"]["start"], n["identity"]["increment"]) == (10, 5)
    metadata.drop_all(engine)


@check
def keys_are_reflected():
    inspector = sa.inspect(engine)
    assert inspector.get_pk_constraint("bakers")["constrained_columns"] == ["id"]
    (key,) = inspector.get_foreign_keys("Loaves of bread")
    assert key["name"] == "baked_by"
    assert (key["constrained_columns"], key["referred_table"]) == (["baker_id"], "bakers")
    assert key["referred_columns"] == ["id"]
    unique = inspector.get_unique_constraints("Loaves of bread")
    assert [u["column_names"] for u in unique] == [["Kind of loaf"]]
    assert inspector.get_indexes("bakers") == []


@check
def names_are_listed():
    inspector = sa.inspect(engine)
    assert {"public", "Second schema"} <= set(inspector.get_schema_names()), (
        inspector.get_schema_names()
    )
    assert inspector.default_schema_name == "public"
    assert inspector.has_table("bakers")
    assert inspector.has_table("Loaves of bread")
    assert not inspector.has_table("nobody")
    assert set(inspector.get_sequence_names()) == {"baker_ids", "loaf_ids"}
    assert inspector.get_temp_table_names() == []
    assert inspector.get_table_comment("bakers") == {"text": None}


@check
def a_whole_schema_is_reflected_and_queried():
    metadata = sa.MetaData()
    metadata.reflect(engine)
    assert set(metadata.tables) == {"bakers", "Loaves of bread"}
    loaves = metadata.tables["Loaves of bread"]
    assert [c.name for c in loaves.columns] == ["id", "baker_id", "Kind of loaf", "baked"]
    with engine.connect() as connection:
        assert connection.execute(sa.select(loaves.c["Kind of loaf"])).scalars().all() == ["rye"]


@check
def another_schema_is_reflected():
    metadata = sa.MetaData(schema="Second schema")
    sa.Table("MixedCase", metadata, sa.Column("Own id", sa.Integer, primary_key=True))
    sa.Table("plain", metadata, sa.Column("value", sa.Float), sa.Column("order", sa.Boolean))
    metadata.create_all(engine)
    inspector = sa.inspect(engine)
    assert set(inspector.get_table_names("Second schema")) == {"MixedCase", "plain"}
    found = inspector.get_columns("plain", schema="Second schema")
    assert [(c["name"], type(c["type"]).__name__) for c in found] == [
        ("value", "FLOAT"),
        ("order", "BOOLEAN"),
    ]
    again = sa.MetaData()
    mixed = sa.Table("MixedCase", again, schema="Second schema", autoload_with=engine)
    assert [(c.name, c.primary_key) for c in mixed.columns] == [("Own id", True)]


@check
def views_are_listed_with_their_definition():
    with engine.begin() as connection:
        connection.execute(sa.text("create or replace view who as select name from bakers"))
    inspector = sa.inspect(engine)
    assert inspector.get_view_names() == ["who"]
    assert "select name from bakers" in inspector.get_view_definition("who")
    assert [c["name"] for c in inspector.get_columns("who")] == ["name"]
    assert inspector.has_table("who")


@check
def types_of_snowflake_go_there_and_back():
    metadata = sa.MetaData()
    odd = sa.Table(
        "odd",
        metadata,
        sa.Column("v", VARIANT),
        sa.Column("o", OBJECT),
        sa.Column("a", ARRAY),
        sa.Column("z", TIMESTAMP_TZ),
        sa.Column("l", TIMESTAMP_LTZ),
        sa.Column("b", sa.LargeBinary),
        sa.Column("t", sa.Time),
        sa.Column("f", sa.Float),
        sa.Column("big", sa.BigInteger),
        sa.Column("flag", sa.Boolean),
    )
    metadata.create_all(engine)
    found = [type(c["type"]).__name__ for c in sa.inspect(engine).get_columns("odd")]
    assert found[:5] == ["VARIANT", "OBJECT", "ARRAY", "TIMESTAMP_TZ", "TIMESTAMP_LTZ"]
    row = {
        "b": b"\x00\xff",
        "t": datetime.time(1, 2, 3),
        "f": 1.5,
        "big": 2**62,
        "flag": True,
        "z": datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
    }
    with engine.begin() as connection:
        connection.execute(sa.insert(odd), row)
        connection.execute(
            sa.insert(odd).from_select(
                ["v", "o", "a"],
                sa.select(
                    sa.func.parse_json('{"k": [1]}'),
                    sa.func.object_construct("k", 1),
                    sa.func.array_construct(1, 2),
                ),
            )
        )
        names = ("b", "t", "f", "big", "flag", "z")
        kept = connection.execute(sa.select(*(odd.c[n] for n in names)).where(odd.c.flag)).one()
        assert dict(zip(names, kept, strict=True)) == row
        nested = connection.execute(
            sa.select(odd.c.v, odd.c.o, odd.c.a).where(odd.c.flag.is_(None))
        )
        assert tuple(nested.one()) == ({"k": [1]}, {"k": 1}, [1, 2])


@check
def a_merge_is_written_and_run():
    metadata = sa.MetaData()
    target = sa.Table("stock", metadata, sa.Column("id", sa.Integer), sa.Column("n", sa.Integer))
    source = sa.Table("came", metadata, sa.Column("id", sa.Integer), sa.Column("n", sa.Integer))
    metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(sa.insert(target), [{"id": 1, "n": 1}, {"id": 2, "n": 2}])
        connection.execute(sa.insert(source), [{"id": 2, "n": 20}, {"id": 3, "n": 30}])
        merge = MergeInto(target=target, source=source, on=target.c.id == source.c.id)
        merge.when_matched_then_update().values(n=source.c.n)
        merge.when_not_matched_then_insert().values(id=source.c.id, n=source.c.n)
        connection.execute(merge)
        kept = connection.execute(sa.select(target).order_by(target.c.id)).all()
    assert [tuple(r) for r in kept] == [(1, 1), (2, 20), (3, 30)]


@check
def pandas_writes_and_reads():
    frame = pd.DataFrame(
        {
            "id": [1, 2, 3],
            "Full name": ["Ann", "O'Neil", None],
            "amount": [1.5, None, 3.25],
            "moment": [pd.Timestamp("2026-01-02 03:04:05"), pd.NaT, pd.Timestamp("2026-01-04")],
            "flag": [True, False, True],
        }
    )
    frame.to_sql("from_pandas", engine, index=False, if_exists="replace")
    frame.to_sql("from_pandas", engine, index=False, if_exists="append", method="multi")
    read = pd.read_sql("select * from from_pandas order by id", engine)
    assert list(read.columns) == list(frame.columns)
    assert len(read) == 6
    half = read.drop_duplicates().reset_index(drop=True)
    assert half["Full name"].fillna("-").tolist() == ["Ann", "O'Neil", "-"]
    assert half["amount"].fillna(-1).tolist() == [1.5, -1, 3.25]
    assert half["moment"].tolist()[0] == pd.Timestamp("2026-01-02 03:04:05")
    chunks = pd.read_sql_table("from_pandas", engine, chunksize=4)
    assert [len(chunk) for chunk in chunks] == [4, 2]


@check
def many_rows_are_written_by_one_statement():
    metadata = sa.MetaData()
    many = sa.Table("many", metadata, sa.Column("n", sa.Numeric(10, 2)), sa.Column("s", sa.String))
    metadata.create_all(engine)
    rows = [{"n": decimal.Decimal("9.99"), "s": f"it's {i}"} for i in range(500)]
    with engine.begin() as connection:
        connection.execute(sa.insert(many), rows)
        total = connection.execute(sa.select(sa.func.sum(many.c.n), sa.func.count())).one()
    assert tuple(total) == (decimal.Decimal("4995.00"), 500)


@check
def a_savepoint_is_a_syntax_error():
    with engine.connect() as connection, refused(sa.exc.ProgrammingError, 1003):
        connection.execute(sa.text("SAVEPOINT one"))


@check
def errors_have_the_drivers_numbers():
    with engine.connect() as connection, refused(sa.exc.ProgrammingError, 2003):
        connection.execute(sa.text("select * from nobody"))


@check
def tables_are_dropped():
    Base.metadata.drop_all(engine)
    assert not {"bakers", "Loaves of bread"} & set(sa.inspect(engine).get_table_names())


if __name__ == "__main__":
    report()
