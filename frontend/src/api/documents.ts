/** Documents: queries, and the acts that change them. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ownTitle } from '@/lib/document-title'
import { ApiProblem } from '@/lib/problems'
import { call, problemOf } from './client'
import { keys } from './query-keys'
import type { PageKindsOut } from './schema.gen'
import { follow } from './sse'
import type { Box, DocumentInfo, DocumentList, DocumentTree, Hit, PageText, Uploaded } from './types'

const LIST_LIMIT = 5_000

export function isFinal(document: Pick<DocumentInfo, 'status'>): boolean {
  return isReadable(document) || document.status === 'failed'
}

export function isReadable(document: Pick<DocumentInfo, 'status'>): boolean {
  return document.status === 'ready' || document.status === 'ready_with_warnings'
}

const documentsQuery = queryOptions({
  queryKey: keys.documentList(''),
  queryFn: ({ signal }) => call<DocumentList>('/api/documents', { query: { limit: LIST_LIMIT }, signal }),
})

export function useDocuments() {
  return useQuery(documentsQuery)
}

/** Titles of documents: by id, and by the file's name, which is all that the marks of an answer hold. */
export interface Titles {
  byId: ReadonlyMap<string, string>
  byName: ReadonlyMap<string, string>
}

const NO_TITLES: Titles = { byId: new Map(), byName: new Map() }

function titlesOf({ documents }: DocumentList): Titles {
  return {
    byId: new Map(documents.map((document) => [document.id, ownTitle(document)])),
    byName: new Map(documents.map((document) => [document.name, ownTitle(document)])),
  }
}

export function useTitles(): Titles {
  return useQuery({ ...documentsQuery, select: titlesOf }).data ?? NO_TITLES
}

export function useDocument(id: string) {
  return useQuery({
    queryKey: keys.document(id),
    queryFn: ({ signal }) => call<DocumentInfo>(`/api/documents/${id}`, { signal }),
    enabled: id !== '',
  })
}

export function useTree(id: string, enabled = true) {
  return useQuery({
    queryKey: keys.tree(id),
    queryFn: ({ signal }) => call<DocumentTree>(`/api/documents/${id}/tree`, { signal }),
    staleTime: 60_000,
    enabled: enabled && id !== '',
  })
}

export function usePageText(id: string, page: number, enabled = true) {
  return useQuery({
    queryKey: keys.page(id, page),
    queryFn: ({ signal }) => call<PageText>(`/api/documents/${id}/pages/${page}`, { signal }),
    staleTime: 60_000,
    enabled,
  })
}

export function usePageKinds(id: string, enabled: boolean) {
  return useQuery({
    queryKey: keys.pageKinds(id),
    queryFn: async ({ signal }) => (await call<PageKindsOut>(`/api/documents/${id}/page-kinds`, { signal })).pages,
    staleTime: 60_000,
    enabled,
  })
}

/** Where a quote stands on its page. */
export function useBoxes(id: string, page: number | undefined, quote: string, enabled = true) {
  return useQuery({
    queryKey: keys.boxes(id, page ?? 0, quote),
    queryFn: async ({ signal }) =>
      (await call<{ boxes: Box[] }>(`/api/documents/${id}/pages/${page}/boxes`, { query: { quote }, signal })).boxes,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: enabled && page !== undefined && quote !== '',
  })
}

export function useSearch(q: string, documents: readonly string[], limit = 30) {
  return useQuery({
    queryKey: keys.search(q, documents),
    queryFn: async ({ signal }) =>
      (await call<{ hits: Hit[] }>('/api/search', { query: { q, doc: documents, k: limit }, signal })).hits,
    enabled: q.trim() !== '',
    placeholderData: (before) => before,
  })
}

export const fileUrl = (id: string) => `/api/documents/${id}/file`
export const pageImageUrl = (id: string, page: number) => `/api/documents/${id}/pages/${page}/image`

/** Send a file, telling how much of it has gone. fetch() cannot tell, so this is an XMLHttpRequest. */
export function uploadFile(
  file: File,
  { onProgress, password, signal }: { onProgress: (share: number) => void; password?: string; signal?: AbortSignal },
): Promise<Uploaded> {
  const body = new FormData()
  if (password) body.append('password', password)
  body.append('file', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/documents')
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total)
    request.onerror = () => reject(new ApiProblem({ code: 'unreachable', message: '', advice: '' }, 0))
    request.onabort = () => reject(new DOMException('stopped', 'AbortError'))
    request.onload = () => {
      const response = new Response(request.responseText, { status: request.status, statusText: request.statusText })
      if (response.ok) response.json().then(resolve, reject)
      else problemOf(response).then(reject, reject)
    }
    signal?.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}

export function useRetryDocument() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, password }: { id: string; password?: string }) =>
      call<DocumentInfo>(`/api/documents/${id}/retry`, { method: 'POST', body: password ? { password } : {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.documents }),
  })
}

/** The sample document that ships with the program. */
export function addSample(language: 'en' | 'zh'): Promise<Uploaded> {
  return call(`/api/samples/${language}`, { method: 'POST' })
}

export const documentPath = (id: string) => `/api/documents/${id}`

/** Keep the list up to date for a document that is being read, from its events, until it is ready or failed. */
export function useStageEvents(id: string, active: boolean) {
  const queries = useQueryClient()
  useEffect(() => {
    if (!active) return
    const end = new AbortController()
    const run = async () => {
      for await (const { data } of follow(`/api/documents/${id}/events`, end.signal)) {
        const stage = readStage(data)
        if (stage) queries.setQueriesData<DocumentList>({ queryKey: ['documents', 'list'] }, patch(id, stage))
      }
      await queries.invalidateQueries({ queryKey: keys.documents })
    }
    run().catch(() => queries.invalidateQueries({ queryKey: keys.documents }))
    return () => end.abort()
  }, [id, active, queries])
}

type Stage = Partial<Pick<DocumentInfo, 'status' | 'pages_done' | 'page_count' | 'problem'>>

function readStage(data: string): Stage | null {
  const fact: unknown = JSON.parse(data)
  if (!fact || typeof fact !== 'object') return null
  const { type, data: stage } = fact as { type: string; data: Stage }
  if (type !== 'data-stage') return null
  const { status, pages_done, page_count, problem } = stage
  return {
    ...(status ? { status } : {}),
    ...(pages_done === undefined ? {} : { pages_done }),
    ...(page_count ? { page_count } : {}),
    ...(problem === undefined ? {} : { problem }),
  }
}

function patch(id: string, stage: Stage) {
  return (list: DocumentList | undefined) =>
    list && { ...list, documents: list.documents.map((item) => (item.id === id ? { ...item, ...stage } : item)) }
}
