/** Conversations and runs: queries, and the acts that change them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './client'
import { keys } from './query-keys'
import type { RunStartedOut } from './schema.gen'
import type { Chat, Message, Scope } from './types'

export function useChats(q = '', archived = false) {
  return useQuery({
    queryKey: keys.chatList(q, archived),
    queryFn: async ({ signal }) =>
      (await call<{ chats: Chat[] }>('/api/chats', { query: { q, archived, limit: 500 }, signal })).chats,
    placeholderData: (before) => before,
  })
}

export interface Conversation {
  chat: Chat
  messages: Message[]
}

export function getConversation(id: string, signal?: AbortSignal): Promise<Conversation> {
  return call(`/api/chats/${id}`, signal ? { signal } : {})
}

export function useConversation(id: string) {
  return useQuery({
    queryKey: keys.chat(id),
    queryFn: ({ signal }) => getConversation(id, signal),
    enabled: id !== '',
  })
}

export interface Question {
  text: string
  scope: Scope
  offline?: boolean
  model?: string
  /** The message the question follows ("" = none) when it is not the last: what came after stays as another branch. */
  parent_id?: string
  /** An answer to be written again, as another branch. */
  regenerate?: string
}

export function createChat(title?: string): Promise<Chat> {
  return call('/api/chats', { method: 'POST', body: title ? { title } : {} })
}

/** Ask. The id makes a repeated request harmless: the same question is run once. */
export function startRun(chatId: string, question: Question): Promise<RunStartedOut> {
  return call(`/api/chats/${chatId}/runs`, {
    method: 'POST',
    body: { client_request_id: crypto.randomUUID(), ...question },
  })
}

export function stopRun(runId: string): Promise<void> {
  return call(`/api/runs/${runId}/stop`, { method: 'POST' })
}

export function useChangeChat() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...change }: { id: string; title?: string; archived?: boolean; leaf_id?: string }) =>
      call<Chat>(`/api/chats/${id}`, { method: 'PATCH', body: change }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.chats }),
  })
}

export function deleteChat(id: string): Promise<void> {
  return call(`/api/chats/${id}`, { method: 'DELETE' })
}
