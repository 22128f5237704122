"""What an answer must say of what was not done: that no model was used, or that pages were not looked at. Plain and fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docmind.agent.language import language_of, phrase
from docmind.agent.rounds import Round, all_tools
from docmind.domain.answer import Citation, PageRef

_LEAD: Mapping[str, str] = {
    "en": "No model was used: {why}. These are the passages that fit best by their words.",
    "zh": "未使用模型：{why}。以下是按关键词找到的最相关原文。",
    "ja": "モデルは使われていません：{why}。語句が最もよく合う箇所を示します。",
}
_WHY: Mapping[str, Mapping[str, str]] = {
    "offline_asked": {
        "en": "the offline reader was asked for",
        "zh": "已选择离线阅读",
        "ja": "オフライン読解が選ばれました",
    },
    "model_not_configured": {"en": "none is configured", "zh": "尚未配置模型", "ja": "モデルが設定されていません"},
    "model_key_refused": {"en": "its key was refused", "zh": "密钥被拒绝", "ja": "キーが拒否されました"},
    "model_balance_empty": {"en": "its account has no balance left", "zh": "账户余额不足", "ja": "残高がありません"},
    "model_not_available": {
        "en": "it is not offered at the set address",
        "zh": "该地址没有此模型",
        "ja": "このモデルは提供されていません",
    },
    "model_busy": {
        "en": "it is overloaded or its rate is limited",
        "zh": "模型繁忙或被限流",
        "ja": "混雑または制限中です",
    },
    "model_unreachable": {"en": "it cannot be reached", "zh": "无法连接模型", "ja": "モデルに接続できません"},
    "model_stalled": {"en": "it stopped answering", "zh": "模型停止响应", "ja": "応答が止まりました"},
    "context_too_long": {
        "en": "the request did not fit its window",
        "zh": "请求超出模型的上下文长度",
        "ja": "入力が長すぎます",
    },
}
_OTHER = {"en": "it refused the request", "zh": "模型拒绝了请求", "ja": "要求が拒否されました"}


def why_offline(code: str, question: str) -> str:
    """The first line of an offline answer, in the question's language where we have it."""
    language = language_of(question)
    language = language if language in _LEAD else "en"
    return _LEAD[language].format(why=_WHY.get(code, _OTHER)[language])


_UNSEEN: Mapping[str, str] = {
    "en": "Not looked at, read as text only: {pages}. Formulas, figures and tables there may be incomplete.",
    "zh": "以下页面未能查看图像，仅读取了文字：{pages}。其中的公式、图表可能不完整。",
    "ja": "画像を見ずに文字だけを読んだページ：{pages}。数式や図表は不完全かもしれません。",
}


def unseen_note(rounds: Sequence[Round], citations: Sequence[Citation], question: str) -> str:
    """A last paragraph when cited pages needed eyes and had none in the end, else ""."""
    cited = {(citation.document_id, citation.page) for citation in citations}
    unseen: dict[tuple[str, int], PageRef] = {}
    for done in all_tools(rounds):
        for ref in done.result.read:
            unseen.pop((ref.document_id, ref.page), None)
        unseen |= {(ref.document_id, ref.page): ref for ref in done.result.unseen}
        for ref in done.result.pictures:
            unseen.pop((ref.document_id, ref.page), None)
    pages = [f"{ref.name} p.{ref.page}" for key, ref in unseen.items() if key in cited]
    return "\n\n" + phrase(_UNSEEN, question).format(pages=", ".join(pages)) if pages else ""
