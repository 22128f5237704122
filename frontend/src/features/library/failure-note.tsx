import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRetryDocument } from '@/api/documents'
import type { DocumentInfo } from '@/api/types'
import { Button } from '@/components/button'
import styles from './failure-note.module.css'
import { PasswordDialog } from './password-dialog'

interface FailureNoteProps {
  document: DocumentInfo
  /** In one line, for a row of the list. */
  inline?: boolean
}

/** Why a document failed, what to do, and doing it. */
export function FailureNote({ document, inline = false }: FailureNoteProps) {
  const { t, i18n } = useTranslation()
  const retry = useRetryDocument()
  const [asking, setAsking] = useState(false)
  const problem = document.problem
  const code = problem?.code ?? 'internal'
  const known = i18n.exists(`problem.${code}.title`)
  const title = known ? t(`problem.${code}.title` as 'problem.internal.title') : problem?.message
  const advice = known ? t(`problem.${code}.advice` as 'problem.internal.advice') : problem?.advice
  const locked = code === 'encrypted'
  return (
    <div className={styles.note} data-inline={inline || undefined}>
      <p className={styles.title}>{title}</p>
      <p className={styles.advice}>{advice}</p>
      <Button
        size="s"
        disabled={retry.isPending}
        onClick={() => (locked ? setAsking(true) : retry.mutate({ id: document.id }))}
      >
        {t(locked ? 'library.givePassword' : 'act.retry')}
      </Button>
      {asking && (
        <PasswordDialog
          name={document.name}
          onClose={() => setAsking(false)}
          onGive={(password) => retry.mutate({ id: document.id, password })}
        />
      )}
    </div>
  )
}
