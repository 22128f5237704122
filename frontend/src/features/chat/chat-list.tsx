import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChats } from '@/api/chats'
import type { Chat } from '@/api/types'
import { type Age, ageOf } from '@/lib/dates'
import styles from './chat-list.module.css'
import { ChatMenu } from './chat-menu'

const SEARCH_FROM = 8

/** Conversations, newest first, by age. */
export function ChatList() {
  const { t } = useTranslation()
  const [q, setQ] = useState('')
  const [archived, setArchived] = useState(false)
  const chats = useChats(q.trim(), archived)
  const many = q !== '' || archived || (chats.data?.length ?? 0) > SEARCH_FROM
  const groups = new Map<Age, Chat[]>()
  for (const chat of chats.data ?? []) {
    const age = ageOf(chat.updated_at)
    groups.set(age, [...(groups.get(age) ?? []), chat])
  }
  return (
    <section aria-label={t('chat.list')}>
      {many && (
        <input
          type="search"
          className={styles.find}
          aria-label={t('chat.find')}
          placeholder={t('chat.find')}
          value={q}
          onChange={(event) => setQ(event.target.value)}
        />
      )}
      {[...groups].map(([age, items]) => (
        <div key={age} className={styles.group}>
          <h2>{t(`age.${age}`)}</h2>
          <ul>
            {items.map((chat) => (
              <li key={chat.id} className={styles.item}>
                <Link to="/chats/$chatId" params={{ chatId: chat.id }} className={styles.link}>
                  {chat.title || t('chat.untitled')}
                </Link>
                <ChatMenu chat={chat} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      <button type="button" className={styles.archive} onClick={() => setArchived(!archived)}>
        {t(archived ? 'chat.hideArchived' : 'chat.showArchived')}
      </button>
    </section>
  )
}
