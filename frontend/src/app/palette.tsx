import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import {
  BookOpen,
  Brain,
  Keyboard,
  Languages,
  Library,
  MessageSquareText,
  Moon,
  PenLine,
  ScanText,
  Search,
  Settings,
  Sun,
} from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChats } from '@/api/chats'
import { isReadable, useDocuments } from '@/api/documents'
import { chooseLanguage } from '@/i18n'
import { titleOf } from '@/lib/document-title'
import { chooseTheme, isDark } from '@/lib/theme'
import styles from './palette.module.css'

interface PaletteProps {
  onClose: () => void
  onHelp: () => void
}

const MOST = 60

/** Everything by a few letters: places, documents, conversations, actions. */
export function Palette({ onClose, onHelp }: PaletteProps) {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const documents = useDocuments().data?.documents.filter(isReadable) ?? []
  const chats = useChats().data ?? []
  const [typed, setTyped] = useState('')
  const dark = isDark()
  const act = (run: () => unknown) => () => {
    onClose()
    run()
  }
  const matching = documents.filter((document) =>
    `${document.title} ${document.name}`.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.veil} />
        <Dialog.Content className={styles.frame} aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">{t('palette.title')}</Dialog.Title>
          <Command label={t('palette.title')} loop>
            <Command.Input
              className={styles.input}
              placeholder={t('palette.placeholder')}
              value={typed}
              onValueChange={setTyped}
            />
            <Command.List className={styles.list}>
              <Command.Empty className={styles.empty}>{t('palette.empty')}</Command.Empty>
              <Command.Group heading={t('palette.actions')}>
                <Item icon={<PenLine size={16} />} onSelect={act(() => navigate({ to: '/chats' }))}>
                  {t('nav.newChat')}
                </Item>
                <Item icon={<Library size={16} />} onSelect={act(() => navigate({ to: '/library' }))}>
                  {t('nav.library')}
                </Item>
                <Item icon={<Search size={16} />} onSelect={act(() => navigate({ to: '/search' }))}>
                  {t('nav.search')}
                </Item>
                <Item icon={<Brain size={16} />} onSelect={act(() => navigate({ to: '/memory' }))}>
                  {t('nav.memory')}
                </Item>
                <Item icon={<ScanText size={16} />} onSelect={act(() => navigate({ to: '/scan' }))}>
                  {t('nav.ocr')}
                </Item>
                <Item icon={<Settings size={16} />} onSelect={act(() => navigate({ to: '/settings' }))}>
                  {t('nav.settings')}
                </Item>
                <Item
                  icon={dark ? <Sun size={16} /> : <Moon size={16} />}
                  onSelect={act(() => chooseTheme(dark ? 'light' : 'dark'))}
                >
                  {t(dark ? 'palette.light' : 'palette.dark')}
                </Item>
                <Item
                  icon={<Languages size={16} />}
                  onSelect={act(() => chooseLanguage(i18n.language === 'zh' ? 'en' : 'zh'))}
                >
                  {i18n.language === 'zh' ? 'English' : '中文'}
                </Item>
                <Item icon={<Keyboard size={16} />} onSelect={act(onHelp)}>
                  {t('help.title')}
                </Item>
              </Command.Group>
              {typed.trim() !== '' && (
                <Command.Group heading={t('nav.search')} forceMount>
                  <Item
                    forceMount
                    icon={<Search size={16} />}
                    value={`search ${typed}`}
                    onSelect={act(() => navigate({ to: '/search', search: { q: typed.trim() } }))}
                  >
                    {t('palette.searchFor', { words: typed.trim() })}
                  </Item>
                  <Item
                    forceMount
                    icon={<MessageSquareText size={16} />}
                    value={`ask ${typed}`}
                    onSelect={act(() => navigate({ to: '/chats', search: { ask: typed.trim() } }))}
                  >
                    {t('palette.askFor', { words: typed.trim() })}
                  </Item>
                </Command.Group>
              )}
              <Command.Group heading={t('nav.library')}>
                {matching.slice(0, MOST).map((document) => (
                  <Item
                    key={document.id}
                    value={`${document.title} ${document.name} ${document.id}`}
                    icon={<BookOpen size={16} />}
                    onSelect={act(() => navigate({ to: '/read/$documentId', params: { documentId: document.id } }))}
                  >
                    {titleOf(document)}
                  </Item>
                ))}
              </Command.Group>
              <Command.Group heading={t('chat.list')}>
                {chats.slice(0, MOST).map((chat) => (
                  <Item
                    key={chat.id}
                    value={`${chat.title} ${chat.id}`}
                    icon={<MessageSquareText size={16} />}
                    onSelect={act(() => navigate({ to: '/chats/$chatId', params: { chatId: chat.id } }))}
                  >
                    {chat.title || t('chat.untitled')}
                  </Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface ItemProps {
  icon: ReactNode
  value?: string
  forceMount?: boolean
  onSelect: () => void
  children: ReactNode
}

function Item({ icon, children, ...rest }: ItemProps) {
  return (
    <Command.Item className={styles.item} {...rest}>
      {icon}
      <span>{children}</span>
    </Command.Item>
  )
}
