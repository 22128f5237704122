"""`docmind eval`: how well pages are found and answers cited, on questions whose pages are known."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from docmind.cli.base import AsJson, Home, bring_index_in_step, commands, parts_for, write_json_line
from docmind.cli.documents import add_one, each_file
from docmind.cli.evaluate_agent import evaluate_agent
from docmind.domain.pages import DocumentId
from docmind.errors import InvalidInput
from docmind.flows.evaluate import (
    Found,
    Judged,
    Place,
    answer_figures,
    find_pages,
    judge,
    parse_questions,
    places_of,
    search_figures,
    without_document,
)
from docmind.parts import Parts


class Scope(StrEnum):
    DOCUMENT = "document"
    LIBRARY = "library"


class Mode(StrEnum):
    SEARCH = "search"
    OFFLINE = "offline"
    AGENT = "agent"


@commands.command("eval")
def evaluate(
    questions: Annotated[Path, typer.Argument(help="A file of questions, one JSON object a line.")],
    pdfs: Annotated[Path, typer.Option(help="The folder with the questions' PDF files: the library.")],
    scope: Annotated[Scope, typer.Option(help="Look in the question's document, or in all of them.")] = Scope.LIBRARY,
    mode: Annotated[Mode, typer.Option(help="Only find pages, or answer without or with a model.")] = Mode.SEARCH,
    details: Annotated[Path | None, typer.Option(help="Write a JSON line for each question to this file.")] = None,
    results: Annotated[
        Path, typer.Option(help="With a model: a line for each answer is kept here, and not asked again.")
    ] = Path("eval-results.jsonl"),
    with_judge: Annotated[
        bool,
        typer.Option("--judge/--no-judge", help="With a model: have it grade answers where the right one is known."),
    ] = True,
    yes: Annotated[bool, typer.Option("--yes", help="With a model: do not ask before spending.")] = False,
    concurrency: Annotated[int, typer.Option(min=1, help="With a model: questions at the same time.")] = 2,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Measure search or answers on questions whose pages are known. The home keeps the documents for the next time."""
    try:
        asked = parse_questions(questions.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as exc:
        raise InvalidInput(f"{questions} cannot be read: {exc}") from exc
    with parts_for(home) as parts:
        bring_index_in_step(parts)
        documents = _library(parts, pdfs)
        places, left = places_of(asked, documents, whole_library=scope is Scope.LIBRARY)
        if not places:
            raise InvalidInput(f"none of the questions' documents is in {pdfs}")
        if mode is Mode.SEARCH:
            found = [find_pages(place, parts.finder) for place in places]
            figures, lines = search_figures(found), [_found_line(one) for one in found]
        elif mode is Mode.OFFLINE:
            figures, lines = _answers(parts, places)
        else:
            figures = evaluate_agent(
                parts, places, results=results, judge=with_judge, sure=yes, concurrency=concurrency
            )
            lines = []
    if details is not None and lines:
        details.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    figures = {
        "scope": scope.value,
        "mode": mode.value,
        "documents": len(set(documents.values())),
        **figures,
        "left_out": [question.id for question in left],
    }
    if as_json:
        write_json_line(figures)
        return
    for name, value in figures.items():
        sys.stdout.write(f"{name:<30} {value}\n")


def _library(parts: Parts, folder: Path) -> dict[str, DocumentId]:
    """The folder's documents by file name without ending, read now where they are not in the home yet."""
    if not folder.is_dir():
        raise InvalidInput(f"{folder} is no folder")
    documents: dict[str, DocumentId] = {}
    for path in each_file([folder]):
        line = add_one(parts, path, None)
        if line["status"] == "failed":
            typer.echo(f"{path.name}: {line['code']}", err=True)
        else:
            documents[path.stem] = DocumentId(line["document_id"])
    return documents


def _answers(parts: Parts, places: list[Place]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    judged = [judge(place, parts.offline, parts.shelf) for place in places]
    removed = [judge(place, parts.offline, parts.shelf) for place in _without_documents(places)]
    lines = [_judged_line(one, removed=False) for one in judged] + [_judged_line(one, removed=True) for one in removed]
    return answer_figures(judged, removed), lines


def _without_documents(places: list[Place]) -> Iterator[Place]:
    for place in places:
        other = without_document(place)
        if other is not None:
            yield other


def _found_line(found: Found) -> dict[str, Any]:
    question = found.place.question
    return {
        "id": question.id,
        "doc_name": question.doc_name,
        "question": question.text,
        "pages": sorted(question.pages),
        "ranks": found.ranks,
        "found": [{"document_id": document_id, "page": page} for document_id, page in found.first],
        "ms": round(found.milliseconds, 1),
    }


def _judged_line(judged: Judged, *, removed: bool) -> dict[str, Any]:
    question = judged.place.question
    return {
        "id": question.id,
        "doc_name": question.doc_name,
        "question": question.text,
        "pages": sorted(question.pages),
        "document_removed": removed,
        "refused": judged.refused,
        "cites_right": judged.cites_right,
        "quotes": judged.quotes,
        "verified": judged.verified,
        "answer": judged.answer.text,
        "ms": round(judged.milliseconds, 1),
    }
