"""Column types that mean the same in SQLite, MySQL and Postgres."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import mysql


class Moment(sa.types.TypeDecorator[datetime]):
    """A point in time: given and returned in UTC with its zone, kept without one, to the microsecond."""

    impl = sa.DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[Any]:
        if dialect.name in ("mysql", "mariadb"):
            return dialect.type_descriptor(mysql.DATETIME(fsp=6))
        return dialect.type_descriptor(sa.DateTime())

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


def id_column(name: str = "id", length: int = 36, **options: Any) -> sa.Column[str]:
    """An ASCII id, compared byte by byte on every database."""
    return sa.Column(name, id_type(length), **options)


def id_type(length: int = 36) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(
        mysql.VARCHAR(length, charset="ascii", collation="ascii_bin"), "mysql", "mariadb"
    )


def long_text() -> sa.types.TypeEngine[str]:
    """Text of any length: MySQL's TEXT ends at 64 kB."""
    return sa.Text().with_variant(mysql.LONGTEXT(), "mysql", "mariadb")


def long_json() -> sa.types.TypeEngine[Any]:
    """JSON kept as text: MySQL 5.7 and MariaDB differ in their JSON type, and nothing queries inside it."""
    return JsonText()


class JsonText(sa.types.TypeDecorator[Any]):
    impl = sa.Text
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[Any]:
        return dialect.type_descriptor(mysql.LONGTEXT() if dialect.name in ("mysql", "mariadb") else sa.Text())

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:
        return None if value is None else json.loads(value)
