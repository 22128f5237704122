/** The server's shapes under the page's own names: generated from OpenAPI, but for what only streams carry. */
import type {
  CitationOut,
  DocumentOut,
  DocumentsOut,
  MemoryOut as Memory,
  MessageOut,
  PageOut,
  UploadOut,
} from './schema.gen'

export type {
  BoxOut as Box,
  ChatOut as Chat,
  HealthOut as Health,
  HitOut as Hit,
  MemoryCountOut as MemoryCount,
  MemoryOut as Memory,
  PageKindOut as PageKind,
  ScopeOut as Scope,
  SwitchesOut as Switches,
  TreeOut as DocumentTree,
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

/** Of a server that reads PDF files alone these are not there. */
export type DocumentInfo = DocumentOut & {
  page_is?: string
  has_pictures?: boolean
  collections?: string[]
  capture?: Capture | null
  ocr?: OcrProgress | null
}
export type DocumentList = Omit<DocumentsOut, 'documents'> & { documents: DocumentInfo[] }
export type Uploaded = Omit<UploadOut, 'document'> & { document: DocumentInfo }
export type PageText = PageOut & { markdown?: string | null }

export interface Capture {
  url: string
  final_url: string
  captured_at: string
  published: string | null
  site: string | null
  previous_id: string | null
}

export interface OcrProgress {
  state: 'waiting' | 'reading' | 'done' | 'failed' | 'off'
  pages: number
  done: number
  failed: number
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
