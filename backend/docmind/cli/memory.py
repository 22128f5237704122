"""docmind memory list | add | edit | delete | export | import: what is remembered, to see and to change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from docmind.cli.base import AsJson, Home, commands, parts_for, write_json_line
from docmind.errors import InvalidInput
from docmind.memory.item import Draft, MemoryItem, MemoryType
from docmind.memory.store import Filter
from docmind.memory.transfer import exported, item_value, read_export

memory = typer.Typer(no_args_is_help=True, help="What is remembered between conversations.")
commands.add_typer(memory, name="memory")

Kind = Annotated[MemoryType | None, typer.Option("--type", help="Only this type.")]
Words = Annotated[
    list[str] | None, typer.Option("--keyword", help="A word it is found by; may be given several times.")
]


@memory.command("list")
def list_items(
    query: Annotated[str, typer.Argument(help="Words that the items hold.")] = "",
    kind: Kind = None,
    chat: Annotated[str | None, typer.Option("--chat", help="Only from this chat.")] = None,
    history: Annotated[bool, typer.Option("--history", help="Those that newer ones replaced.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000)] = 100,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Show what is remembered, last said first."""
    with parts_for(home) as parts:
        items, total = parts.memory.find_all(Filter(query, kind, chat, history=history), limit=limit)
        counts = parts.memory.counts()
    if as_json:
        write_json_line({"items": [item_value(item) for item in items], "total": total})
        return
    for item in items:
        typer.echo(_line(item))
    dropped = sum(count.dropped for count in counts)
    typer.echo(f"{len(items)} of {total} items; {dropped} dropped by the quotas so far", err=True)


@memory.command()
def add(
    content: Annotated[str, typer.Argument(help="What to remember, in one sentence.")],
    kind: Annotated[MemoryType, typer.Option("--type")] = MemoryType.SEMANTIC,
    keyword: Words = None,
    pin: Annotated[bool, typer.Option("--pin", help="Never dropped by the quota.")] = False,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Remember something. What says the same is merged; what it contradicts becomes history."""
    draft = Draft(kind, content, tuple(keyword or ()), always=True, pinned=pin)
    with parts_for(home) as parts:
        kept = parts.memory.keep(draft)
    if as_json:
        write_json_line({"item": item_value(kept.item), "outcome": kept.outcome.value, "replaced": kept.replaced})
        return
    typer.echo(f"{kept.outcome.value} {kept.item.id}" + "".join(f"\nreplaced {old}" for old in kept.replaced))


@memory.command()
def edit(
    item_id: str,
    content: Annotated[str | None, typer.Option("--content")] = None,
    keyword: Words = None,
    pinned: Annotated[bool | None, typer.Option("--pin/--unpin")] = None,
    enabled: Annotated[bool | None, typer.Option("--enable/--disable")] = None,
    always: Annotated[bool | None, typer.Option("--always/--not-always", help="A rule in every prompt.")] = None,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Change an item."""
    with parts_for(home) as parts:
        item = parts.memory.change(
            item_id, content=content, keywords=keyword, pinned=pinned, enabled=enabled, always=always
        )
    if as_json:
        write_json_line(item_value(item))
        return
    typer.echo(_line(item))


@memory.command()
def delete(
    item_id: Annotated[str | None, typer.Argument(help="The item; or give --type, --chat or --all.")] = None,
    kind: Kind = None,
    chat: Annotated[str | None, typer.Option("--chat", help="Everything from this chat.")] = None,
    all_items: Annotated[bool, typer.Option("--all", help="Everything.")] = False,
    home: Home = None,
) -> None:
    """Delete for good: an item, a type, a chat's, or all."""
    if sum([item_id is not None, kind is not None or chat is not None, all_items]) != 1:
        raise InvalidInput("give an item's id, or --type and --chat, or --all")
    with parts_for(home) as parts:
        if item_id is not None:
            parts.memory.delete(item_id)
            count = 1
        else:
            count = parts.memory.delete_all(type=kind, chat_id=chat)
    typer.echo(f"deleted {count}")


@memory.command("export")
def export_items(target: Annotated[Path, typer.Argument(help="The JSON file to write.")], home: Home = None) -> None:
    """Write everything that is remembered to a JSON file."""
    with parts_for(home) as parts:
        items = parts.memory.export()
    part = target.with_name(f"{target.name}.part")
    part.write_text(json.dumps(exported(items), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    part.replace(target)
    typer.echo(f"exported {len(items)}")


@memory.command("import")
def import_items(source: Annotated[Path, typer.Argument(help="A file that export wrote.")], home: Home = None) -> None:
    """Put the items of an export in, in place of those with the same id."""
    try:
        value = json.loads(source.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise InvalidInput(f"{source} cannot be read as JSON: {exc}") from exc
    items = read_export(value)
    with parts_for(home) as parts:
        count = parts.memory.import_items(items)
    typer.echo(f"imported {count}")


def _line(item: MemoryItem) -> str:
    marks = [name for name, on in (("pinned", item.pinned), ("off", not item.enabled), ("always", item.always)) if on]
    note = f" [{', '.join(marks)}]" if marks else ""
    return f"{item.id}  {item.type.value:<10}  {' '.join(item.content.split())}{note}"
