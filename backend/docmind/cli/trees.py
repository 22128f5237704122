"""docmind tree | import-tree: a document's structure, shown, written out and taken back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from docmind.cli.base import AsJson, Doc, Home, commands, parts_for, write_json_line
from docmind.domain.document import Document
from docmind.domain.pages import Page
from docmind.domain.tree import Tree
from docmind.errors import InvalidInput
from docmind.indexing.build import with_titles
from docmind.indexing.from_json import tree_from_foreign_json, tree_to_pageindex
from docmind.library.trees import node_to_json

_MAX_BYTES = 64 * 1024 * 1024


@commands.command()
def tree(
    doc: Doc,
    as_json: AsJson = False,
    pageindex: Annotated[bool, typer.Option("--pageindex", help="Print the structure JSON of PageIndex.")] = False,
    home: Home = None,
) -> None:
    """The document's table of contents with page ranges."""
    with parts_for(home) as parts:
        document = parts.shelf.find_by_reference(doc)
        found = parts.shelf.get_tree(document.id)
    if pageindex:
        write_json_line(tree_to_pageindex(found, name=document.name))
        return
    if as_json:
        write_json_line(
            {
                "document_id": document.id,
                "name": document.name,
                "pages": document.page_count,
                "source": found.source,
                "nodes": [node_to_json(node) for node in found.nodes],
            }
        )
        return
    for node in found.walk():
        pages = f"{node.page_from}" if node.page_from == node.page_to else f"{node.page_from}-{node.page_to}"
        typer.echo(f"{'  ' * (node.level - 1)}{node.title}  [{pages}]")


@commands.command("import-tree")
def import_tree(
    doc: Doc,
    file: Annotated[Path, typer.Argument(help="A tree as `docmind tree --json` or PageIndex writes it.")],
    home: Home = None,
) -> None:
    """Give a document another tree: one that PageIndex made, or its own after you mended it by hand."""
    raw = _read_json(file)
    with parts_for(home) as parts:

        def change(document: Document, pages: Sequence[Page], _: Tree) -> tuple[Sequence[Page], Tree]:
            taken = tree_from_foreign_json(raw, document_id=document.id, page_count=document.page_count)
            return with_titles(pages, taken), taken

        document = parts.revising.revise(parts.shelf.find_by_reference(doc).id, change)
        count = sum(1 for _ in parts.shelf.get_tree(document.id).walk())
    typer.echo(f"{document.id}  {document.name}: {count} node{'' if count == 1 else 's'} imported")


def _read_json(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except OSError as exc:
        raise InvalidInput(f"{path} cannot be read: {exc.strerror}", advice="Check the path.") from exc
    if len(content) > _MAX_BYTES:
        raise InvalidInput(f"{path.name} is larger than {_MAX_BYTES // 1024**2} MB: a tree is not that large")
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(
            f"{path.name} is not JSON that can be read", advice="Give a file as `docmind tree DOC --json` writes it."
        ) from exc
