import json

import pytest

from docmind.domain.ports import ModelCard
from docmind.flows.evaluate import Place, Question
from docmind.flows.evaluate_agent import ask_all, estimate, figures, left_to_ask, read_lines, read_verdict
from tests.agent.desk import a_desk, a_model
from tests.agent.library import MemoryLibrary, doc_id
from tests.scripted_model import Failure, Reply, ScriptedModel
from tests.scripted_model.obedient import obedient

ZOO = doc_id("zoo.pdf")
LIBRARY = {
    "zoo": ["Contents", "Seven otters live in the southern pond.", "Tickets cost nine euros for grown-up visitors."]
}


def a_place(name: str, text: str, *pages: int, answer: str = "") -> Place:
    return Place(Question(name, "zoo", text, frozenset(pages), answer), ZOO, (ZOO,))


OTTERS = a_place("otters", "How many otters live in the pond?", 2, answer="Seven")
TICKETS = a_place("tickets", "What do tickets cost for visitors?", 3, answer="Ten euros")


def zoo_and_judge(request):
    text = request["messages"][-1]["content"]
    if "You grade an answer" in text:
        verdict = "correct" if "Seven" in text.split("Answer to grade")[1] else "incorrect"
        return Reply(text=f'Well: {{"why": "as told", "verdict": "{verdict}"}}')
    return obedient(request)


async def ask(places, script, **given):
    with ScriptedModel(script) as server:
        model = a_model(server, input_price=1.0, output_price=2.0)
        library = MemoryLibrary(**LIBRARY)
        lines = [
            line
            async for line in ask_all(places, lambda asked: a_desk(library, server, model=model), judge=model, **given)
        ]
        await model.close()
    return lines, server


async def test_answers_are_measured_against_pages_and_graded_against_the_right_answer():
    lines, _ = await ask([OTTERS, TICKETS], zoo_and_judge, concurrency=2)

    by_id = {line["id"]: line for line in lines}
    assert by_id["otters"]["cites_right"]
    assert (by_id["otters"]["verdict"], by_id["tickets"]["verdict"]) == ("correct", "incorrect")
    found = figures(lines)
    assert (found["correct"], found["incorrect"], found["right_page_cited"], found["verified_share"]) == (
        0.5,
        0.5,
        1.0,
        1.0,
    )
    assert found["cost"] > 0
    assert found["mean_rounds"] == 3


async def test_failing_model_is_not_counted_and_ends_the_run_after_three():
    places = [a_place(f"q{n}", "How many otters?", 2) for n in range(20)]

    lines, server = await ask(places, lambda _: Failure(402))

    assert 3 <= len(lines) <= 5
    assert all(line["failed"] == "model_balance_empty" for line in lines)
    assert len(server.requests) <= 6
    assert figures(lines)["questions"] == 0


async def test_what_was_answered_is_not_asked_again_and_a_torn_line_is_left_out():
    lines, _ = await ask([OTTERS], zoo_and_judge)
    failed = {**lines[0], "id": "tickets", "failed": "model_busy"}
    text = json.dumps(lines[0]) + "\n" + json.dumps(failed) + "\n" + '{"id": "torn", "answ'

    done = read_lines(text, model="scripted")

    assert [place.question.id for place in left_to_ask([OTTERS, TICKETS], done)] == ["tickets"]
    assert read_lines(text, model="another") == {}


def test_estimate_goes_by_what_was_answered_and_by_the_prices():
    card = ModelCard("m", input_price=2.0, output_price=10.0)
    done = [{"input_tokens": 10_000, "output_tokens": 1_000}, {"input_tokens": 30_000, "output_tokens": 3_000}]

    guess = estimate(100, done, card)

    assert (guess.input_tokens, guess.output_tokens, guess.cost) == (2_000_000, 200_000, 6.0)
    assert estimate(100, [], ModelCard("m")).cost is None


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"why": "x", "verdict": "correct"}', "correct"),
        ('```json\n{"verdict": "refused", "why": "y"}\n```', "refused"),
        ('{"verdict": "great"}', None),
        ("correct", None),
        ("[]", None),
        ("}{", None),
    ],
)
def test_only_a_clear_verdict_counts(text: str, verdict: str | None):
    assert read_verdict(text)[0] == verdict
