import { Check, Library } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isReadable, useDocuments } from '@/api/documents'
import type { Scope } from '@/api/types'
import { shortName } from '@/lib/citation-marks'
import { titleOf } from '@/lib/document-title'
import styles from './scope-picker.module.css'

interface ScopePickerProps {
  scope: Scope
  onChange: (scope: Scope) => void
}

const MOST_SHOWN = 200

/** What a question may read: the whole library, or chosen documents. Always in sight. */
export function ScopePicker({ scope, onChange }: ScopePickerProps) {
  const { t } = useTranslation()
  const list = useDocuments()
  const [q, setQ] = useState('')
  const documents = (list.data?.documents ?? []).filter(isReadable)
  const chosen = new Set(scope.documents)
  const first = documents.find((document) => chosen.has(document.id))
  const words =
    chosen.size === 0
      ? t('scope.library')
      : chosen.size === 1 && first
        ? shortName(titleOf(first), 32)
        : t('scope.some', { count: chosen.size })
  const matching = documents.filter((document) =>
    `${document.title} ${document.name}`.toLowerCase().includes(q.trim().toLowerCase()),
  )
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChange({ documents: [...next] })
  }
  return (
    <Popover.Root>
      <Popover.Trigger
        className={styles.trigger}
        aria-label={t('scope.label', { words })}
        data-chosen={chosen.size > 0 || undefined}
      >
        <Library size={15} aria-hidden="true" />
        <span>{words}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.panel}
          align="start"
          side="top"
          sideOffset={8}
          collisionPadding={12}
          aria-label={t('scope.title')}
        >
          <button
            type="button"
            className={styles.option}
            aria-pressed={chosen.size === 0}
            onClick={() => onChange({ documents: [] })}
          >
            <span className={styles.box}>{chosen.size === 0 && <Check size={14} />}</span>
            <span>{t('scope.library')}</span>
          </button>
          <input
            className={styles.filter}
            type="search"
            aria-label={t('library.filter')}
            placeholder={t('library.filter')}
            value={q}
            onChange={(event) => setQ(event.target.value)}
          />
          <ul className={styles.list}>
            {matching.slice(0, MOST_SHOWN).map((document) => (
              <li key={document.id}>
                <button
                  type="button"
                  className={styles.option}
                  aria-pressed={chosen.has(document.id)}
                  onClick={() => toggle(document.id)}
                >
                  <span className={styles.box}>{chosen.has(document.id) && <Check size={14} />}</span>
                  <span>{titleOf(document)}</span>
                </button>
              </li>
            ))}
            {matching.length === 0 && <li className={styles.none}>{t('library.noMatch')}</li>}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
