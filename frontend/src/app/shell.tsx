import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { Library, MessageSquareText, PanelLeftClose, PanelLeftOpen, PenLine } from 'lucide-react'
import { Tooltip } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/button'
import { Toasts } from '@/components/toasts'
import { ChatList } from '@/features/chat'
import styles from './shell.module.css'
import { Wordmark } from './wordmark'

const places = [
  { to: '/library', key: 'nav.library', icon: Library },
  { to: '/chats', key: 'nav.ask', icon: MessageSquareText },
] as const

const NARROW_KEY = 'docmind.sidebar'

export function Shell() {
  const { t } = useTranslation()
  const [narrow, setNarrow] = useState(() => localStorage.getItem(NARROW_KEY) === 'narrow')
  const reading = useRouterState({ select: (state) => state.location.pathname.startsWith('/read/') })
  const toggle = () => {
    localStorage.setItem(NARROW_KEY, narrow ? 'wide' : 'narrow')
    setNarrow(!narrow)
  }
  return (
    <Tooltip.Provider delayDuration={350}>
      <a href="#main" className={styles.skip}>
        {t('nav.skip')}
      </a>
      <div className={styles.shell} data-narrow={narrow || reading || undefined}>
        <nav className={styles.side} aria-label={t('nav.main')}>
          <div className={styles.head}>
            <Wordmark />
          </div>
          <Link to="/chats" className={styles.newChat} activeOptions={{ exact: true }}>
            <PenLine size={16} aria-hidden="true" />
            <span>{t('nav.newChat')}</span>
          </Link>
          <ul className={styles.places}>
            {places.map(({ to, key, icon: Icon }) => (
              <li key={to}>
                <Link to={to} className={styles.place} title={t(key)}>
                  <Icon size={18} strokeWidth={1.7} aria-hidden="true" />
                  <span>{t(key)}</span>
                </Link>
              </li>
            ))}
          </ul>
          <div className={styles.chats}>
            <ChatList />
          </div>
          <div className={styles.foot}>
            {!reading && (
              <IconButton
                label={t(narrow ? 'nav.widen' : 'nav.narrow')}
                icon={narrow ? <PanelLeftOpen size={17} /> : <PanelLeftClose size={17} />}
                onClick={toggle}
              />
            )}
          </div>
        </nav>
        <main id="main" className={styles.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Toasts />
    </Tooltip.Provider>
  )
}
