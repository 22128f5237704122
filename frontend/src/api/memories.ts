/** What is remembered of the reader: queries, and the acts that change it. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from './client'
import { keys } from './query-keys'
import type {
  CountOut,
  ForgottenOut,
  MemoriesOut,
  MemoryChangeIn,
  MemoryIn,
  MemoryKeptOut,
  SwitchesIn,
} from './schema.gen'
import type { Memory, MemoryType, Switches } from './types'

const AT_ONCE = 100

export interface MemoryFilter {
  q: string
  type: MemoryType | null
  /** Those that newer ones replaced, instead of those that hold. */
  history: boolean
}

export const memoryPath = (id: string) => `/api/memories/${id}`

export function useMemories({ q, type, history }: MemoryFilter) {
  return useInfiniteQuery({
    queryKey: keys.memoryList(q, type ?? '', history),
    queryFn: ({ pageParam, signal }) =>
      call<MemoriesOut>('/api/memories', {
        query: { q, type: type ?? undefined, history, limit: AT_ONCE, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, page) => sum + page.items.length, 0)
      return shown < last.total ? shown : undefined
    },
    placeholderData: (before) => before,
  })
}

/** A change to memory, after which all that is shown of it is read again. */
function useMemoryAct<Wish, Result>(act: (wish: Wish) => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: act, onSettled: () => queries.invalidateQueries({ queryKey: keys.memories }) })
}

export function useAddMemory() {
  return useMemoryAct((wish: MemoryIn) => call<MemoryKeptOut>('/api/memories', { method: 'POST', body: wish }))
}

export function useChangeMemory() {
  return useMemoryAct(({ id, ...change }: MemoryChangeIn & { id: string }) =>
    call<Memory>(memoryPath(id), { method: 'PATCH', body: change }),
  )
}

export function useSwitches() {
  return useMemoryAct((wish: SwitchesIn) => call<Switches>('/api/memories/switches', { method: 'PATCH', body: wish }))
}

export function useDeleteMemories() {
  return useMemoryAct((type: MemoryType | null) =>
    call<CountOut>('/api/memories', { method: 'DELETE', query: { type: type ?? undefined } }),
  )
}

export function useImportMemories() {
  return useMemoryAct(async (file: File) =>
    call<CountOut>('/api/memories/import', { method: 'POST', body: JSON.parse(await file.text()) }),
  )
}

/** Bring back what a message wished to be forgotten; the run is the one that answered it. */
export function useUndoForgetting() {
  return useMemoryAct((runId: string) =>
    call<ForgottenOut>(`/api/memories/forgotten/${runId}/undo`, { method: 'POST' }),
  )
}
