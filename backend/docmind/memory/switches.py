"""Is memory on: for all chats, and for one. Off means off."""

from __future__ import annotations

import sqlalchemy as sa

from docmind.memory.item import Switches
from docmind.memory.tables import memory_switches

ALL_CHATS = ""


def read_switches(connection: sa.Connection, chat_id: str | None, *, default: Switches) -> Switches:
    """What holds for a chat. What is off for all chats is off for each; a chat can only be quieter."""
    scopes = [ALL_CHATS, *([chat_id] if chat_id else [])]
    rows = connection.execute(sa.select(memory_switches).where(memory_switches.c.scope.in_(scopes))).all()
    extraction = {row.scope: row.extraction for row in rows if row.extraction is not None}
    injection = {row.scope: row.injection for row in rows if row.injection is not None}
    return Switches(
        extraction=all([extraction.pop(ALL_CHATS, default.extraction), *extraction.values()]),
        injection=all([injection.pop(ALL_CHATS, default.injection), *injection.values()]),
    )


def write_switches(
    connection: sa.Connection, chat_id: str | None, *, extraction: bool | None, injection: bool | None
) -> None:
    """Set what is given, for a chat or for all."""
    scope = chat_id or ALL_CHATS
    given = {name: value for name, value in (("extraction", extraction), ("injection", injection)) if value is not None}
    if not given:
        return
    same = memory_switches.c.scope == scope
    known = connection.execute(sa.select(memory_switches.c.scope).where(same)).first()
    if known is None:
        connection.execute(memory_switches.insert(), {"scope": scope, "extraction": None, "injection": None, **given})
    else:
        connection.execute(memory_switches.update().where(same).values(**given))
