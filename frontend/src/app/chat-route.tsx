import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { SplitPane } from '@/components/split-pane'
import { ChatPage } from '@/features/chat'
import { Reader } from '@/features/reader'
import type { ChatSearch } from './router'

const newChat = getRouteApi('/chats')
const oneChat = getRouteApi('/chats/$chatId')

export function NewChatRoute() {
  return <ChatBesidePages chatId={null} search={newChat.useSearch()} />
}

export function ChatRoute() {
  return <ChatBesidePages chatId={oneChat.useParams().chatId} search={oneChat.useSearch()} />
}

interface ChatBesidePagesProps {
  chatId: string | null
  search: ChatSearch
}

/** A conversation, and beside it the page that was cited last, with the quote marked. */
function ChatBesidePages({ chatId, search }: ChatBesidePagesProps) {
  const navigate = useNavigate()
  const { doc, page, quote } = search
  const here = chatId === null ? '/chats' : `/chats/${chatId}`
  const pages = doc && (
    <Reader
      key={doc}
      compact
      documentId={doc}
      page={page}
      quote={quote ?? ''}
      onPlace={() => {}}
      onClose={() => void navigate({ to: here })}
    />
  )
  return (
    <SplitPane name="chat" side={pages || null}>
      <ChatPage
        key={chatId}
        chatId={chatId}
        startScope={{ documents: search.scope?.split(',').filter(Boolean) ?? [] }}
        startText={search.ask ?? ''}
        linkTo={(place) => {
          const params = new URLSearchParams({ doc: place.document_id, page: String(place.page) })
          if (place.quote) params.set('quote', place.quote)
          return `${here}?${params}`
        }}
        onStarted={(started) => void navigate({ to: '/chats/$chatId', params: { chatId: started } })}
      />
    </SplitPane>
  )
}
