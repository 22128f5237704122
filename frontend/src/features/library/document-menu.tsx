import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { deleteLater, UNDO_MS, undoDelete } from '@/api/deletions'
import { documentPath, fileUrl, isReadable } from '@/api/documents'
import { keys } from '@/api/query-keys'
import type { DocumentInfo } from '@/api/types'
import { Menu } from '@/components/menu'
import { say } from '@/components/toasts'

interface DocumentMenuProps {
  document: DocumentInfo
}

export function DocumentMenu({ document }: DocumentMenuProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = () => {
    const path = documentPath(document.id)
    deleteLater(path, {
      onGone: () => void queries.invalidateQueries({ queryKey: keys.documents }),
      onProblem: () => say(t('library.deleteFailed', { name: document.name })),
    })
    say(t('library.deleted', { name: document.name }), {
      forMs: UNDO_MS,
      action: { label: t('act.undo'), run: () => undoDelete(path) },
    })
  }
  return (
    <Menu label={t('library.menu', { name: document.name })} icon={<Ellipsis size={17} />}>
      {isReadable(document) && (
        <>
          <Menu.Link>
            <Link to="/read/$documentId" params={{ documentId: document.id }}>
              {t('library.read')}
            </Link>
          </Menu.Link>
          <Menu.Link>
            <Link to="/chats" search={{ scope: document.id }}>
              {t('library.ask')}
            </Link>
          </Menu.Link>
        </>
      )}
      <Menu.Link>
        <a href={fileUrl(document.id)} download={document.name}>
          {t('library.download')}
        </a>
      </Menu.Link>
      <Menu.Item danger onSelect={remove}>
        {t('act.delete')}
      </Menu.Item>
    </Menu>
  )
}
