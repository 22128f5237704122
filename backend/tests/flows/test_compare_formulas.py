"""The question this program exists for: compare formulas of several papers, end to end, with real PDFs and a real renderer."""

import base64
import dataclasses
import hashlib
import json

import pymupdf
import pytest

from docmind.agent.steps import InProcessSteps
from docmind.domain.answer import ToolCalled, ToolReturned
from docmind.flows.answer import Asked, answer_in_steps
from docmind.parts import build_model, build_vision_model
from docmind.tools.page_vision import NEEDS_EYES, PageVision
from tests.agent.desk import of_type
from tests.library_home import add, parts_in
from tests.scripted_model import Reply, ScriptedModel
from tests.scripted_model.researcher import researcher

PAPERS = {
    "RMSNorm": (
        r"\bar{a}_i = \frac{a_i}{\mathrm{RMS}(a)} g_i",
        "It divides by the root mean square and drops the mean.",
    ),
    "LayerNorm": (
        r"\bar{a}_i = \frac{a_i - \mu}{\sigma} g_i",
        "It centres and scales over the features of one example.",
    ),
    "BatchNorm": (
        r"\hat{x}_i = \frac{x_i - \mu_B}{\sqrt{\sigma_B^2 + \epsilon}}",
        "It centres and scales over the batch.",
    ),
}
FORMULA_PAGE = 3


def a_paper(name: str, formula: str) -> bytes:
    """Five pages with bookmarks. The formula stands in a picture, as in papers that were scanned or drawn."""
    with pymupdf.open() as pdf, pymupdf.open() as drawing:
        sketch = drawing.new_page(width=500, height=650)
        sketch.insert_textbox((40, 100, 460, 300), formula, fontsize=26)
        picture = sketch.get_pixmap(dpi=100).tobytes("png")
        for text in (
            f"{name}: a method of normalisation",
            "Related work and motivation.",
            "",
            "Experiments ran well.",
            "References",
        ):
            page = pdf.new_page()
            page.insert_text((72, 72), text) if text else page.insert_image(
                pymupdf.Rect(20, 20, 575, 822), stream=picture
            )
        titles = ("Introduction", "Background", "Core formula", "Experiments", "References")
        pdf.set_toc([[1, title, page] for page, title in enumerate(titles, 1)])
        return bytes(pdf.tobytes())


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):
    parts = parts_in(tmp_path_factory.mktemp("home"))
    for name, (formula, _) in PAPERS.items():
        add(parts, a_paper(name, formula), f"{name}.pdf")
    yield parts
    parts.close()


class Eyes:
    """A vision model that knows the pictures by their bytes."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.seen: list[str] = []

    def __call__(self, request):
        url = request["messages"][0]["content"][1]["image_url"]["url"]
        name = self.known[hashlib.sha256(base64.b64decode(url.partition(",")[2])).hexdigest()]
        self.seen.append(name)
        formula, sentence = PAPERS[name]
        return Reply(text=f"<page>\n## Core formula\n$${formula}$$\n{sentence}\n</page>")


async def ask(parts, question: str):
    eyes = Eyes()
    ids = {document.name.removesuffix(".pdf"): document.id for document in parts.shelf.list_documents()}
    for name, document_id in ids.items():
        picture = await parts.page_images.get(document_id, FORMULA_PAGE)
        eyes.known[hashlib.sha256(picture).hexdigest()] = name
    with ScriptedModel(researcher) as model, ScriptedModel(eyes) as looker:
        settings = parts.settings.model_copy(
            update={
                "llm_base_url": model.base_url,
                "llm_model": "scripted",
                "vision_base_url": looker.base_url,
                "vision_model": "eyes",
            }
        )
        reading, looking = build_model(settings), build_vision_model(settings)
        asked = Asked("run-1", question)
        vision = PageVision(looking, parts.page_images, parts.transcripts)
        desk = dataclasses.replace(parts.desk_for(asked), model=reading, vision=vision)
        events = []
        finished = await answer_in_steps(asked, desk, InProcessSteps(events.append))
        await reading.close()
        await looking.close()
    return finished.answer, events, eyes, ids


async def test_three_formulas_are_compared_from_their_pages_and_seen_once(library):
    done, events, eyes, ids = await ask(library, "Compare the core formulas of RMSNorm, LayerNorm and BatchNorm")

    assert all(library.shelf.read_page(document_id, FORMULA_PAGE).kind in NEEDS_EYES for document_id in ids.values())
    assert sorted(eyes.seen) == sorted(PAPERS)
    for formula, sentence in PAPERS.values():
        assert f"$${formula}$$ {sentence} [" in done.answer
    assert {(c.document_id, c.page) for c in done.citations} == {
        (document_id, FORMULA_PAGE) for document_id in ids.values()
    }
    assert all(citation.verified for citation in done.citations)
    assert done.rounds == 4
    assert done.usage.vision_calls == 3
    assert [call.name for call in of_type(events, ToolCalled) if call.round == 3] == ["get_page_content"] * 3


async def test_a_question_about_two_leaves_the_third_document_closed(library):
    done, events, eyes, ids = await ask(library, "Compare the core formulas of RMSNorm and LayerNorm")

    assert {c.document_id for c in done.citations} == {ids["RMSNorm"], ids["LayerNorm"]}
    touched = [json.loads(call.arguments).get("doc_id") for call in of_type(events, ToolCalled)]
    assert ids["BatchNorm"] not in touched
    assert all(ref.document_id != ids["BatchNorm"] for event in of_type(events, ToolReturned) for ref in event.pages)
    assert eyes.seen == []  # paid by the question before, kept with the documents
    assert done.usage.vision_calls == 0
