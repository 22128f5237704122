import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChatPage } from '@/features/chat'
import { Reader } from '@/features/reader'

const route = getRouteApi('/read/$documentId')

/** A document, and beside it a conversation about it when asked for. */
export function ReadRoute() {
  const { t } = useTranslation()
  const { documentId } = route.useParams()
  const { page, quote, chat } = route.useSearch()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(chat !== undefined)
  const [startText, setStartText] = useState('')

  return (
    <Reader
      key={documentId}
      documentId={documentId}
      page={page}
      quote={quote ?? ''}
      onPlace={(place, how) =>
        void navigate({
          to: '/read/$documentId',
          params: { documentId },
          search: { page: place.page, quote: place.quote, chat },
          replace: how === 'replace',
        })
      }
      onAsk={({ page: about, selection }) => {
        setStartText(`${t('reader.aboutSelection', { page: about })}\n> ${selection}\n\n`)
        setAsking(true)
      }}
      asking={asking}
      onAsking={setAsking}
      askPane={
        <ChatPage
          pane
          chatId={chat ?? null}
          startScope={{ documents: [documentId] }}
          startText={startText}
          linkTo={(place) => readHref(place.document_id, { page: place.page, quote: place.quote, chat })}
          onStarted={(started) =>
            void navigate({
              to: '/read/$documentId',
              params: { documentId },
              search: { page, quote, chat: started },
              replace: true,
            })
          }
        />
      }
    />
  )
}

function readHref(documentId: string, search: Record<string, string | number | undefined>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value) params.set(name, String(value))
  return `/read/${documentId}?${params}`
}
