import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemoryType } from '@/api/types'
import { Button } from '@/components/button'
import { TextArea } from '@/components/text-area'
import { TextField } from '@/components/text-field'
import { Toggle } from '@/components/toggle'
import styles from './memory-item.module.css'

export interface MemoryDraft {
  content: string
  keywords: string[]
  always: boolean
}

interface MemoryEditorProps {
  draft: MemoryDraft & { type: MemoryType }
  pending: boolean
  children?: ReactNode
  onSave: (draft: MemoryDraft) => void
  onCancel: () => void
}

const LONGEST = 2_000
const MOST_KEYWORDS = 12

export function MemoryEditor({ draft, pending, children, onSave, onCancel }: MemoryEditorProps) {
  const { t } = useTranslation()
  const [content, setContent] = useState(draft.content)
  const [words, setWords] = useState(draft.keywords.join(', '))
  const [always, setAlways] = useState(draft.always)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const keywords = words
      .split(/[,，、;；\n]/)
      .map((word) => word.trim().slice(0, 60))
      .filter(Boolean)
    onSave({ content: content.trim(), keywords: [...new Set(keywords)].slice(0, MOST_KEYWORDS), always })
  }
  return (
    <form className={styles.editor} onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      {children}
      <TextArea
        label={t('memory.content')}
        value={content}
        rows={3}
        maxLength={LONGEST}
        autoFocus
        onChange={setContent}
      />
      <TextField label={t('memory.keywords')} hint={t('memory.keywordsHint')} value={words} onChange={setWords} />
      {draft.type === 'procedural' && (
        <Toggle label={t('memory.alwaysLabel')} hint={t('memory.alwaysHint')} checked={always} onChange={setAlways} />
      )}
      <div className={styles.editorActs}>
        <Button onClick={onCancel}>{t('act.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={pending || content.trim() === ''}>
          {t('act.save')}
        </Button>
      </div>
    </form>
  )
}
