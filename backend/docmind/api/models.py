"""Which models can be used: those of the endpoint that is set, and of model servers on this machine."""

from __future__ import annotations

from fastapi import APIRouter

from docmind.api.deps import Given
from docmind.api.schemas import LocalServerOut, ModelsOut, OfferedModelOut, ProblemOut
from docmind.errors import ModelError

router = APIRouter(prefix="/api/models", tags=["program"])


@router.get("")
async def models(given: Given) -> ModelsOut:
    """An endpoint that does not answer is a `problem` beside what was found, not a failure."""
    problem = None
    offered: list[OfferedModelOut] = []
    try:
        offered = [OfferedModelOut.model_validate(model.card) for model in await given.offered_models()]
    except ModelError as exc:
        problem = ProblemOut(code=exc.code, message=exc.message, advice=exc.advice_now)
    local = [
        LocalServerOut(name=server.name, base_url=server.base_url, models=[model.card.name for model in server.models])
        for server in await given.local_servers()
    ]
    return ModelsOut(chosen=given.model_name or None, models=offered, problem=problem, local=local)
