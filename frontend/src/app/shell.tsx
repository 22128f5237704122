import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import {
  Brain,
  Command,
  Library,
  MessageSquareText,
  PanelLeftClose,
  PanelLeftOpen,
  PenLine,
  ScanText,
  Search,
  Settings,
} from 'lucide-react'
import { Tooltip } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/button'
import { Toasts } from '@/components/toasts'
// Not by way of the feature's index: the list stands on every screen, the conversation with its Markdown and math does not.
import { ChatList } from '@/features/chat/chat-list'
import { KeyHelp } from './key-help'
import { Palette } from './palette'
import styles from './shell.module.css'
import { useShellKeys } from './use-shell-keys'
import { Wordmark } from './wordmark'

const places = [
  { to: '/library', key: 'nav.library', icon: Library },
  { to: '/chats', key: 'nav.ask', icon: MessageSquareText },
  { to: '/search', key: 'nav.search', icon: Search },
  { to: '/memory', key: 'nav.memory', icon: Brain },
  { to: '/scan', key: 'nav.ocr', icon: ScanText },
  { to: '/settings', key: 'nav.settings', icon: Settings },
] as const

const NARROW_KEY = 'docmind.sidebar'

export function Shell() {
  const { t } = useTranslation()
  const [narrow, setNarrow] = useState(() => localStorage.getItem(NARROW_KEY) === 'narrow')
  const reading = useRouterState({ select: (state) => state.location.pathname.startsWith('/read/') })
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)
  useShellKeys({ onPalette: () => setOpen('palette'), onHelp: () => setOpen('help') })
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
            <button
              type="button"
              className={styles.goTo}
              title={`${t('palette.title')} (Ctrl K)`}
              onClick={() => setOpen('palette')}
            >
              <Command size={16} aria-hidden="true" />
              <span>{t('palette.button')}</span>
              <kbd>Ctrl K</kbd>
            </button>
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
      {open === 'palette' && <Palette onClose={() => setOpen(null)} onHelp={() => setOpen('help')} />}
      {open === 'help' && <KeyHelp onClose={() => setOpen(null)} />}
      <Toasts />
    </Tooltip.Provider>
  )
}
