"""Chats over HTTP, and the message that starts a run."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from docmind.api.deps import Count, Given, Services
from docmind.api.schemas import (
    ChatChangeIn,
    ChatIn,
    ChatOut,
    ChatsOut,
    ChatWithMessagesOut,
    MessageOut,
    RunIn,
    RunStartedOut,
)
from docmind.domain.pages import DocumentId
from docmind.runs.answering import start_answer, stop_answer
from docmind.runs.run import RunRequest

router = APIRouter(prefix="/api/chats", tags=["chats"])


@router.post("", status_code=201)
async def create(given: Given, wish: ChatIn | None = None) -> ChatOut:
    return ChatOut.of(await asyncio.to_thread(given.chats.create, wish.title if wish else ""))


@router.get("")
async def list_chats(
    given: Given,
    q: Annotated[str, Query(max_length=500)] = "",
    archived: bool = False,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Count = 0,
) -> ChatsOut:
    """Chats whose title or messages hold `q`, last used first."""
    chats, total = await asyncio.to_thread(given.chats.find_all, query=q, archived=archived, limit=limit, offset=offset)
    return ChatsOut(chats=[ChatOut.of(chat) for chat in chats], total=total)


@router.get("/{chat_id}")
async def get_chat(given: Given, chat_id: str) -> ChatWithMessagesOut:
    """The chat with the messages of its shown branch."""
    return await asyncio.to_thread(_with_messages, given, chat_id)


def _with_messages(given: Services, chat_id: str) -> ChatWithMessagesOut:
    chat = given.chats.get(chat_id)
    messages = given.chats.branch(chat_id)
    cited = {c["document_id"] for message in messages for c in message.citations}
    present = {document_id for document_id in cited if given.documents.find(document_id) is not None}
    return ChatWithMessagesOut(chat=ChatOut.of(chat), messages=[MessageOut.of(m, present) for m in messages])


@router.patch("/{chat_id}")
async def change(given: Given, chat_id: str, wish: ChatChangeIn) -> ChatOut:
    changed = await asyncio.to_thread(
        given.chats.change, chat_id, title=wish.title, archived=wish.archived, leaf_id=wish.leaf_id
    )
    return ChatOut.of(changed)


@router.delete("/{chat_id}", status_code=204)
async def delete(given: Given, chat_id: str) -> None:
    """Remove the chat, its messages, runs and logs; an answer that is being written is stopped first."""
    chat = await asyncio.to_thread(given.chats.get, chat_id)
    if chat.active_run_id is not None:
        await stop_answer(chat.active_run_id)
    runs = await asyncio.to_thread(given.runs.of_chat, chat_id)
    await asyncio.to_thread(given.chats.delete, chat_id)
    await asyncio.to_thread(given.runs.delete_of_chat, chat_id)
    await asyncio.to_thread(given.log.delete, [run.id for run in runs])


@router.post("/{chat_id}/runs", status_code=202)
async def ask(given: Given, chat_id: str, wish: RunIn) -> RunStartedOut:
    """Keep the message and start its answer. The same client_request_id gives the same run."""
    for document_id in wish.scope.documents:
        await asyncio.to_thread(given.documents.get, document_id)
    request = RunRequest(
        client_request_id=wish.client_request_id,
        text=wish.text,
        documents=tuple(DocumentId(document_id) for document_id in wish.scope.documents),
        offline=wish.offline,
        model=wish.model,
        parent_id=wish.parent_id,
        regenerate=wish.regenerate,
    )
    run, is_new = await asyncio.to_thread(given.runs.begin, chat_id, request)
    if is_new or not run.status.is_final:
        # Also for a known one: the first request may have died between the two. Starting twice starts once.
        await start_answer(run.id)
    return RunStartedOut(run_id=run.id, message_id=run.user_message_id, answer_message_id=run.answer_message_id)
