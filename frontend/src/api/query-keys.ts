/** Names of server data in the query cache, so that a change can say what it makes stale. */

export const keys = {
  documents: ['documents'] as const,
  documentList: (q: string) => ['documents', 'list', q] as const,
  document: (id: string) => ['documents', 'one', id] as const,
  tree: (id: string) => ['documents', 'tree', id] as const,
  page: (id: string, page: number) => ['documents', 'page', id, page] as const,
  pageKinds: (id: string) => ['documents', 'page-kinds', id] as const,
  boxes: (id: string, page: number, quote: string) => ['documents', 'boxes', id, page, quote] as const,
  search: (q: string, documents: readonly string[]) => ['search', q, ...documents] as const,
  chats: ['chats'] as const,
  chatList: (q: string, archived: boolean) => ['chats', 'list', q, archived] as const,
  chat: (id: string) => ['chats', 'one', id] as const,
  health: ['health'] as const,
  models: ['models'] as const,
  settings: ['settings'] as const,
  memories: ['memories'] as const,
  memoryList: (q: string, type: string, history: boolean) => ['memories', 'list', q, type, history] as const,
}
