import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil, Pin, PinOff, Power, PowerOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteLater, UNDO_MS, undoDelete } from '@/api/deletions'
import { useTitles } from '@/api/documents'
import { memoryPath, useChangeMemory } from '@/api/memories'
import { keys } from '@/api/query-keys'
import type { Memory } from '@/api/types'
import { IconButton } from '@/components/button'
import { say } from '@/components/toasts'
import { formatDate, formatMoment } from '@/lib/dates'
import { MemoryEditor } from './memory-editor'
import styles from './memory-item.module.css'

interface MemoryItemProps {
  item: Memory
}

export function MemoryItem({ item }: MemoryItemProps) {
  const { t } = useTranslation()
  const change = useChangeMemory()
  const [editing, setEditing] = useState(false)
  const replaced = item.replaced_by !== null
  if (editing) {
    return (
      <MemoryEditor
        draft={item}
        pending={change.isPending}
        onCancel={() => setEditing(false)}
        onSave={(draft) => change.mutate({ id: item.id, ...draft }, { onSuccess: () => setEditing(false) })}
      />
    )
  }
  return (
    <article className={styles.item} data-off={!item.enabled || replaced || undefined}>
      <div className={styles.top}>
        <span className={styles.type} data-type={item.type}>
          {t(`memory.one.${item.type}`)}
        </span>
        {item.pinned && (
          <span className={styles.state}>
            <Pin size={13} aria-hidden="true" /> {t('memory.pinned')}
          </span>
        )}
        {item.always && !replaced && <span className={styles.state}>{t('memory.always')}</span>}
        {!item.enabled && <span className={styles.state}>{t('memory.off')}</span>}
        {replaced && <span className={styles.state}>{t('memory.replaced')}</span>}
        <span className={styles.acts}>
          {!replaced && (
            <>
              <IconButton
                label={t(item.pinned ? 'memory.unpin' : 'memory.pin')}
                icon={item.pinned ? <PinOff size={16} /> : <Pin size={16} />}
                onClick={() => change.mutate({ id: item.id, pinned: !item.pinned })}
              />
              <IconButton
                label={t(item.enabled ? 'memory.disable' : 'memory.enable')}
                icon={item.enabled ? <PowerOff size={16} /> : <Power size={16} />}
                onClick={() => change.mutate({ id: item.id, enabled: !item.enabled })}
              />
              <IconButton label={t('memory.edit')} icon={<Pencil size={16} />} onClick={() => setEditing(true)} />
            </>
          )}
          <DeleteButton item={item} />
        </span>
      </div>
      <p className={styles.content}>{item.content}</p>
      {item.answer && <p className={styles.answer}>{item.answer}</p>}
      <Facts item={item} />
    </article>
  )
}

function DeleteButton({ item }: MemoryItemProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const path = memoryPath(item.id)
  const remove = () => {
    deleteLater(path, {
      onGone: () => void queries.invalidateQueries({ queryKey: keys.memories }),
      onProblem: () => say(t('memory.deleteFailed')),
    })
    say(t('memory.deleted'), { forMs: UNDO_MS, action: { label: t('act.undo'), run: () => undoDelete(path) } })
  }
  return <IconButton label={t('act.delete')} icon={<Trash2 size={16} />} onClick={remove} />
}

/** Where it comes from, what words call it up, and when it last did. */
function Facts({ item }: MemoryItemProps) {
  const { t, i18n } = useTranslation()
  const { byId } = useTitles()
  const { chat_id: chat, document_ids: documents } = item.source
  return (
    <div className={styles.facts}>
      <span title={formatMoment(item.updated_at, i18n.language)}>{formatDate(item.updated_at, i18n.language)}</span>
      {chat ? (
        <Link to="/chats/$chatId" params={{ chatId: chat }}>
          {t('memory.fromChat')}
        </Link>
      ) : (
        <span>{t('memory.byHand')}</span>
      )}
      {documents.map(
        (id) =>
          byId.has(id) && (
            <Link key={id} to="/read/$documentId" params={{ documentId: id }}>
              {byId.get(id) || t('memory.document')}
            </Link>
          ),
      )}
      <span>
        {item.last_used_at
          ? t('memory.used', { count: item.uses, date: formatDate(item.last_used_at, i18n.language) })
          : t('memory.unused')}
      </span>
      {item.keywords.length > 0 && <span className={styles.keywords}>{item.keywords.join(' · ')}</span>}
    </div>
  )
}
