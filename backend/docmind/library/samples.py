"""The sample documents that ship with the package, for a first run without documents of one's own. backend/samples makes them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

_FOLDER = Path(__file__).parent.parent / "samples"


class SampleLanguage(StrEnum):
    ENGLISH = "en"
    CHINESE = "zh"


@dataclass(frozen=True, slots=True)
class Sample:
    path: Path
    name: str


def sample_in(language: SampleLanguage) -> Sample:
    name = "DocMind 怎样读书.pdf" if language is SampleLanguage.CHINESE else "How DocMind reads.pdf"
    return Sample(_FOLDER / f"{language.value}.pdf", name)
