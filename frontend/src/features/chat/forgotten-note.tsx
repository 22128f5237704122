import { Eraser } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useUndoForgetting } from '@/api/memories'
import type { MemoryUsed } from '@/api/types'
import { Button } from '@/components/button'
import styles from './turn-view.module.css'

interface ForgottenNoteProps {
  memory: readonly MemoryUsed[]
}

/** What a message wished to be forgotten, and the way to bring it back. */
export function ForgottenNote({ memory }: ForgottenNoteProps) {
  const { t } = useTranslation()
  const undo = useUndoForgetting()
  const forgotten = memory.filter((item) => item.reason === 'forgotten')
  const run = forgotten[0]?.undo
  if (!run) return null
  return (
    <p className={styles.forgotten} role="status">
      <Eraser size={15} aria-hidden="true" />
      {undo.isSuccess
        ? t('memory.broughtBack', { count: undo.data.items.length })
        : undo.isError
          ? t('memory.undoTooLate')
          : t('memory.forgotten', { count: forgotten.length })}
      {undo.isIdle && (
        <Button size="s" kind="quiet" onClick={() => undo.mutate(run)}>
          {t('act.undo')}
        </Button>
      )}
    </p>
  )
}
