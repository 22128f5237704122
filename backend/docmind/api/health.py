"""Whether the server answers, and what is set."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter

from docmind import __version__
from docmind.api.deps import Given
from docmind.api.schemas import HealthOut, ModelOut, SettingOut, SettingsOut

router = APIRouter(prefix="/api", tags=["program"])


@router.get("/health")
async def health(given: Given) -> HealthOut:
    count = await asyncio.to_thread(given.documents.count)
    model = ModelOut(configured=bool(given.model_name), name=given.model_name)
    return HealthOut(status="ok", version=__version__, documents=count, model=model)


@router.get("/settings")
async def settings(given: Given) -> SettingsOut:
    """What is set and by what. A secret's value never leaves the server."""
    return SettingsOut(settings=[SettingOut.model_validate(setting) for setting in given.settings])
