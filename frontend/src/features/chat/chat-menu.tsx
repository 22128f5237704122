import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteChat, useChangeChat } from '@/api/chats'
import { keys } from '@/api/query-keys'
import type { Chat } from '@/api/types'
import { Button } from '@/components/button'
import { DialogFrame } from '@/components/dialog-frame'
import { Menu } from '@/components/menu'
import { TextField } from '@/components/text-field'
import { downloadConversation } from './export-chat'

interface ChatMenuProps {
  chat: Chat
}

export function ChatMenu({ chat }: ChatMenuProps) {
  const { t } = useTranslation()
  const change = useChangeChat()
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null)
  return (
    <>
      <Menu label={t('chat.menu', { title: chat.title || t('chat.untitled') })} icon={<Ellipsis size={15} />}>
        <Menu.Item onSelect={() => setOpen('rename')}>{t('act.rename')}</Menu.Item>
        <Menu.Item onSelect={() => void downloadConversation(chat.id, t('chat.references'))}>
          {t('chat.export')}
        </Menu.Item>
        <Menu.Item onSelect={() => change.mutate({ id: chat.id, archived: !chat.archived })}>
          {t(chat.archived ? 'chat.unarchive' : 'chat.archive')}
        </Menu.Item>
        <Menu.Item danger onSelect={() => setOpen('delete')}>
          {t('act.delete')}
        </Menu.Item>
      </Menu>
      {open === 'rename' && <RenameDialog chat={chat} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteDialog chat={chat} onClose={() => setOpen(null)} />}
    </>
  )
}

interface ChatDialogProps extends ChatMenuProps {
  onClose: () => void
}

function RenameDialog({ chat, onClose }: ChatDialogProps) {
  const { t } = useTranslation()
  const change = useChangeChat()
  const [title, setTitle] = useState(chat.title)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ id: chat.id, title: title.trim() })
    onClose()
  }
  return (
    <DialogFrame title={t('act.rename')} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField label={t('chat.title')} value={title} onChange={setTitle} />
        <DialogFrame.Acts>
          <Button onClick={onClose}>{t('act.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={title.trim() === ''}>
            {t('act.save')}
          </Button>
        </DialogFrame.Acts>
      </form>
    </DialogFrame>
  )
}

function DeleteDialog({ chat, onClose }: ChatDialogProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { chatId } = useParams({ strict: false })
  const remove = async () => {
    onClose()
    await deleteChat(chat.id)
    if (chatId === chat.id) await navigate({ to: '/chats' })
    await queries.invalidateQueries({ queryKey: keys.chats })
  }
  return (
    <DialogFrame title={t('chat.deleteTitle')} description={chat.title || t('chat.untitled')} onClose={onClose}>
      <DialogFrame.Acts>
        <Button onClick={onClose}>{t('act.cancel')}</Button>
        <Button kind="danger" onClick={remove}>
          {t('act.delete')}
        </Button>
      </DialogFrame.Acts>
    </DialogFrame>
  )
}
