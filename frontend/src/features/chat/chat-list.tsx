import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useChats } from '@/api/chats'
import type { Chat } from '@/api/types'
import { type Age, ageOf } from '@/lib/dates'
import styles from './chat-list.module.css'
import { ChatMenu } from './chat-menu'

/** Conversations, newest first, by age. */
export function ChatList() {
  const { t } = useTranslation()
  const chats = useChats()
  const groups = new Map<Age, Chat[]>()
  for (const chat of chats.data ?? []) {
    const age = ageOf(chat.updated_at)
    groups.set(age, [...(groups.get(age) ?? []), chat])
  }
  return (
    <section aria-label={t('chat.list')}>
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
    </section>
  )
}
