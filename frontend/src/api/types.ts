/** The server's shapes under the page's own names: generated from OpenAPI, but for what only streams carry. */
import type { CitationOut, MemoryOut as Memory, MessageOut } from './schema.gen'

export type {
  BoxOut as Box,
  ChatOut as Chat,
  DocumentOut as DocumentInfo,
  DocumentsOut as DocumentList,
  HealthOut as Health,
  HitOut as Hit,
  MemoryCountOut as MemoryCount,
  MemoryOut as Memory,
  PageOut as PageText,
  ScopeOut as Scope,
  SwitchesOut as Switches,
  TreeOut as DocumentTree,
  UploadOut as Uploaded,
} from './schema.gen'

/** Inside a stream the server has not looked whether the document is still there. */
export type Citation = Omit<CitationOut, 'document_removed'> & { document_removed?: boolean }

export interface Usage {
  input_tokens: number
  output_tokens: number
  model_calls: number
  tool_calls: number
  pages_read: number
  vision_calls: number
  estimated: boolean
  cost: number | null
}

export type Message = Omit<MessageOut, 'usage'> & { usage: Usage | null }

export interface PageRef {
  document_id: string
  name: string
  page: number
}

export type MemoryType = Memory['type']

/** What memory gave to an answer. One that a message wished to be forgotten has no content, only the way to undo it. */
export interface MemoryUsed {
  id: string
  type: MemoryType
  content: string
  matched: string[]
  reason: 'keywords' | 'always' | 'forgotten'
  undo?: string
}
