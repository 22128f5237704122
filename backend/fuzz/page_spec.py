"""Any text as a page spec gives pages of the document, ascending, each once, or InvalidPageRange."""

from __future__ import annotations

import sys
from itertools import pairwise

import atheris

with atheris.instrument_imports(include=["docmind"]):
    from docmind.domain.page_spec import parse_pages
    from docmind.errors import InvalidPageRange


def check(data: bytes) -> None:
    provider = atheris.FuzzedDataProvider(data)
    page_count = provider.ConsumeIntInRange(0, 5000)
    budget = provider.ConsumeIntInRange(1, 60) if provider.ConsumeBool() else None
    spec = provider.ConsumeUnicode(200)
    try:
        selection = parse_pages(spec, page_count=page_count, budget=budget)
    except InvalidPageRange:
        return
    numbers = selection.numbers
    assert numbers, "an empty selection is an error, not a result"
    assert all(low < high for low, high in pairwise(numbers))
    assert numbers[0] >= 1
    assert numbers[-1] <= page_count
    assert budget is None or len(numbers) <= budget


if __name__ == "__main__":
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
