from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from docmind.domain.words import cut, is_chinese, stem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("RMSNorm normalises", ["rmsnorm", stem("normalises")]),
        ("1,577 million in FY2018", ["1577", "million", "in", "fy2018"]),
        ("o\ufb03ce of\u00adfice", ["offic", "offic"]),
        ("资产负债表", ["资产", "产负", "负债", "债表"]),
    ],
)
def test_text_is_cut_into_the_forms_it_is_found_by(text: str, words: list[str]):
    assert cut(text) == words


def test_a_question_is_chinese_by_its_letters():
    assert is_chinese("什么是 RMSNorm？")
    assert not is_chinese("What does 神经网络 mean in this long English question?")


def test_words_are_cut_alike_by_many_threads_at_once():
    texts = [" ".join(f"running{chr(97 + n)} studies{chr(97 + m)} relational" for m in range(20)) for n in range(8)]
    alone = [cut(text) for text in texts]
    stem.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(cut, texts * 5))
    assert together == alone * 5
