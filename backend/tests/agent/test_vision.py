import hashlib

import pytest

from docmind.domain.pages import DocumentId, PageKind
from docmind.errors import RenderFailed
from docmind.library.transcripts import KeptTranscripts
from docmind.providers.chat_openai import ChatOpenAI
from docmind.storage.files import DocumentFiles
from docmind.tools.page_vision import PageVision
from tests.agent.desk import a_desk, a_model, finished, run
from tests.agent.library import MemoryLibrary, doc_id
from tests.scripted_model import Call, Failure, Reply, Script, ScriptedModel, rounds

PAPER = doc_id("paper.pdf")
FORMULA = r"$$\mathrm{RMS}(a) = \sqrt{\frac{1}{n}\sum_{i=1}^{n} a_i^2}$$"
SEEN = Reply(text=f"<page>\nRoot mean square:\n{FORMULA}\n</page>")


class Pictures:
    """Pages drawn as a few bytes."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken

    async def get(self, document_id: DocumentId, page: int) -> bytes:
        if self.broken:
            raise RenderFailed("cannot be drawn")
        return f"jpeg of {document_id} {page}".encode()


def a_paper(*kinds: PageKind) -> MemoryLibrary:
    library = MemoryLibrary()
    library.add("paper.pdf", [f"broken f0rmula text of page {n}" for n in range(1, len(kinds) + 1)], kinds)
    return library


def reading(pages: str, answer: str) -> Script:
    return rounds(Reply(calls=[Call("get_page_content", {"doc_id": PAPER, "pages": pages})]), Reply(text=answer))


@pytest.fixture
def kept(tmp_path) -> KeptTranscripts:
    files = DocumentFiles(tmp_path)
    files.published(PAPER).mkdir(parents=True)
    return KeptTranscripts(files)


async def look_and_answer(library, kept, script, *eyes, pictures=None, pages="1", **given):
    """Answer with a vision model that plays `eyes`; gives the answer, its rounds' tool texts, and both servers."""
    with ScriptedModel(script) as model, ScriptedModel(rounds(*eyes)) as vision_server:
        vision_model = a_model(vision_server)
        vision = PageVision(vision_model, pictures or Pictures(), kept)
        desk = a_desk(library, model, vision=vision, transcripts=kept, **given)
        done = finished(await run("q", desk))
        await vision_model.close()
    texts = [m["content"] for m in model.requests[-1].body["messages"] if m["role"] == "tool"]
    return done, texts, vision_server


async def test_formula_page_is_transcribed_and_the_transcript_can_be_cited(kept):
    script = reading("1-2", f'The RMS is {FORMULA} [[{PAPER} p.2 "RMS}}(a) = \\sqrt{{\\frac{{1}}{{n}}"]].')

    done, texts, vision = await look_and_answer(a_paper(PageKind.TEXT, PageKind.FORMULA), kept, script, SEEN)

    assert FORMULA in texts[0]
    assert done.citations[0].verified
    assert len(vision.requests) == 1
    assert done.usage.vision_calls == 1
    assert (
        vision.requests[0].body["messages"][0]["content"][1]["image_url"]["url"].startswith("data:image/jpeg;base64,")
    )


async def test_a_transcript_is_paid_once_ever(kept):
    library = a_paper(PageKind.FORMULA)

    await look_and_answer(library, kept, reading("1", "[[not found]]"), SEEN)
    done, texts, vision = await look_and_answer(library, kept, reading("1", "[[not found]]"))

    assert FORMULA in texts[0]
    assert vision.requests == []
    assert done.usage.vision_calls == 0


@pytest.mark.parametrize(
    "failure",
    [
        Failure(401),
        Failure(402),
        Reply(text="I'm sorry, I can't read this image."),
        Reply(text="<page>half a page", finish="length"),
        Reply(text="502 Bad Gateway"),
        Reply(text="<unreadable/>"),
        Reply(text="<page></page>"),
    ],
)
async def test_no_error_is_taken_for_what_the_page_shows(kept, failure):
    script = reading("1", f'It says so [[{PAPER} p.1 "broken f0rmula text"]].')

    done, texts, _ = await look_and_answer(a_paper(PageKind.FORMULA), kept, script, failure, failure)

    assert "broken f0rmula text of page 1" in texts[0]
    assert "not looked at" in texts[0]
    assert "sorry" not in texts[0]
    assert "Not looked at, read as text only: paper.pdf p.1" in done.answer
    assert list(kept.of_page(PAPER, 1)) == []


async def test_page_that_cannot_be_drawn_is_read_as_text(kept):
    done, texts, vision = await look_and_answer(
        a_paper(PageKind.SCAN), kept, reading("1", "[[not found]]"), pictures=Pictures(broken=True)
    )

    assert "render_failed" in texts[0]
    assert vision.requests == []
    assert done.mode == "agent"


async def test_without_vision_the_answer_says_so_for_cited_formula_pages_only():
    script = reading("1-2", f'One [[{PAPER} p.1 "broken f0rmula text of page 1"]].')
    with ScriptedModel(script) as server:
        done = finished(await run("公式是什么？", a_desk(a_paper(PageKind.FORMULA, PageKind.FIGURE), server)))

    assert "以下页面未能查看图像，仅读取了文字：paper.pdf p.1。" in done.answer


async def test_vision_budget_is_kept_and_the_rest_is_read_as_text(kept):
    from docmind.agent.budget import Budget

    library = a_paper(*[PageKind.FORMULA] * 4)
    done, texts, vision = await look_and_answer(
        library, kept, reading("1-4", "[[not found]]"), SEEN, SEEN, SEEN, SEEN, budget=Budget(vision_calls=2)
    )

    assert len(vision.requests) == 2
    assert done.usage.vision_calls == 2
    assert texts[0].count("vision_budget") == 2


async def test_plain_text_pages_are_not_looked_at(kept):
    _, _, vision = await look_and_answer(a_paper(PageKind.TEXT), kept, reading("1", "[[not found]]"))

    assert vision.requests == []


async def test_a_seeing_model_gets_the_picture_itself():
    script = rounds(
        Reply(calls=[Call("get_page_content", {"doc_id": PAPER, "pages": "1"})]),
        Reply(calls=[Call("get_page_image", {"doc_id": PAPER, "pages": "2"})]),
        Reply(text="[[not found]]"),
    )
    library = a_paper(PageKind.FORMULA, PageKind.TEXT)
    with ScriptedModel(script) as server:
        model = a_model(server, sees_images=True)
        done = finished(await run("q", a_desk(library, server, model=model, pictures=Pictures())))

    images = [
        part["image_url"]["url"]
        for message in server.requests[-1].body["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
        if part["type"] == "image_url"
    ]
    assert len(images) == 2
    assert done.usage.vision_calls == 2


async def test_a_blind_model_is_not_offered_pictures():
    with ScriptedModel(rounds(Reply(text="[[not found]]"))) as server:
        await run("q", a_desk(a_paper(PageKind.TEXT), server, pictures=Pictures()))

    assert "get_page_image" not in [tool["function"]["name"] for tool in server.requests[0].body["tools"]]


async def test_transcripts_are_kept_by_page_model_and_picture(kept):
    with ScriptedModel(lambda _: SEEN) as server:
        model: ChatOpenAI = a_model(server)
        looked = await PageVision(model, Pictures(), kept).look(PAPER, 3)
        await model.close()

    digest = hashlib.sha256(f"jpeg of {PAPER} 3".encode()).hexdigest()
    assert kept.find(PAPER, 3, model="scripted", image_sha256=digest) == looked.transcript
    assert kept.find(PAPER, 3, model="other/model:1", image_sha256=digest) is None
    assert kept.find(PAPER, 3, model="scripted", image_sha256="0" * 64) is None
    assert kept.find(PAPER, 2, model="scripted", image_sha256=digest) is None


async def test_cost_of_a_look_is_counted(kept):
    with ScriptedModel(lambda _: SEEN) as server:
        model = a_model(server, input_price=10.0, output_price=50.0)
        look = await PageVision(model, Pictures(), kept).look(PAPER, 1)
        await model.close()

    assert look.usage.cost == pytest.approx((100 * 10 + 20 * 50) / 1e6)
    assert look.transcript.cost == look.usage.cost
