import { Link } from '@tanstack/react-router'
import { MessagesSquare, PenLine } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/button'
import { DialogFrame } from '@/components/dialog-frame'
import styles from './chat-bar.module.css'
import { ChatList } from './chat-list'

interface ChatBarProps {
  title: string
}

/** On a narrow screen, where no sidebar stands: the way to the other conversations and to a new one. */
export function ChatBar({ title }: ChatBarProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <div className={styles.bar}>
      <IconButton label={t('chat.list')} icon={<MessagesSquare size={18} />} onClick={() => setOpen(true)} />
      <span className={styles.title}>{title}</span>
      <Link to="/chats" className={styles.new} aria-label={t('nav.newChat')} title={t('nav.newChat')}>
        <PenLine size={18} aria-hidden="true" />
      </Link>
      {open && (
        <DialogFrame title={t('chat.list')} onClose={() => setOpen(false)}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: closes when one of the links in it is followed */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: a followed link is a click, also by keyboard */}
          <div onClick={(event) => (event.target as HTMLElement).closest('a') && setOpen(false)}>
            <ChatList />
          </div>
        </DialogFrame>
      )}
    </div>
  )
}
