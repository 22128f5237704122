"""Arguments of a tool call, from the text a model wrote. Whatever is wrong with them becomes a ToolFailure that says what is expected."""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from docmind.domain.ports import ToolSpec
from docmind.errors import ToolFailure

MAX_ARGUMENT_CHARACTERS = 20_000


class Arguments(BaseModel):
    """Unknown names are ignored: models invent harmless extras, and refusing them costs a round."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


def _as_page_spec(value: Any) -> Any:
    """Pages as text: models also write 3, 3.0 or [3, 4]."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return str(int(value)) if value == int(value) else str(value)
    if isinstance(value, list) and len(value) <= 500:
        return ",".join(str(_as_page_spec(item)) for item in value)
    return value


def _as_id_list(value: Any) -> Any:
    """A list of ids: models also write one id, "a,b", or null for all."""
    if value is None:
        return []
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


DocId = Annotated[
    str, Field(min_length=1, max_length=300, description="Id of the document, as list_documents gives it.")
]
PageSpec = Annotated[
    str,
    BeforeValidator(_as_page_spec),
    Field(max_length=500, description='Pages, counted from 1: "3", "2-4" or "1,5-7".'),
]
DocIds = Annotated[list[str], BeforeValidator(_as_id_list)]

A = TypeVar("A", bound=Arguments)


def parse_arguments(text: str, model: type[A]) -> A:
    """The arguments of a call. Raises ToolFailure for text that is no JSON object or does not fit the model."""
    expected = f"Expected one JSON object with: {_wanted(model)}."
    if len(text) > MAX_ARGUMENT_CHARACTERS:
        raise ToolFailure(f"the arguments are {len(text)} characters long. {expected}")
    try:
        value: Any = json.loads(text) if text.strip() else {}
        if isinstance(value, str):  # some models encode the object twice
            value = json.loads(value) if value.strip() else {}
    except RecursionError as exc:
        raise ToolFailure(f"the arguments are nested too deep. {expected}") from exc
    except ValueError as exc:
        raise ToolFailure(f"the arguments are not complete JSON: {_short(text)}. {expected}") from exc
    if not isinstance(value, dict):
        raise ToolFailure(f"the arguments are not a JSON object but {_short(text)}. {expected}")
    try:
        return model.model_validate(value)
    except ValidationError as exc:
        wrong = "; ".join(
            f"{'.'.join(str(part) for part in error['loc']) or 'arguments'}: {error['msg'].lower()}"
            for error in exc.errors(include_url=False, include_input=False)[:5]
        )
        raise ToolFailure(f"wrong arguments: {wrong}. {expected}") from exc
    except RecursionError as exc:
        raise ToolFailure(f"the arguments are nested too deep. {expected}") from exc


def tool_spec(name: str, description: str, model: type[Arguments]) -> ToolSpec:
    """What the model is told of a tool: JSON schema without pydantic's titles, which cost tokens and say nothing."""
    schema = _without_titles(model.model_json_schema())
    return ToolSpec(name, description, {"type": "object", "properties": {}, **schema, "additionalProperties": False})


def _without_titles(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            key: _without_titles(value)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str))
        }
    return [_without_titles(item) for item in schema] if isinstance(schema, list) else schema


def _wanted(model: type[Arguments]) -> str:
    names = [f'"{name}"' + ("" if field.is_required() else " (optional)") for name, field in model.model_fields.items()]
    return ", ".join(names) or "nothing"


def _short(text: str) -> str:
    plain = " ".join(text[:200].split())
    return f"{plain[:60]!r}" + ("..." if len(plain) > 60 else "")
