import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import styles from './composer.module.css'

interface EditQuestionProps {
  text: string
  onSend: (text: string) => void
  onCancel: () => void
}

export function EditQuestion({ text, onSend, onCancel }: EditQuestionProps) {
  const { t } = useTranslation()
  const [words, setWords] = useState(text)
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault()
        if (words.trim()) onSend(words.trim())
      }}
    >
      <textarea
        aria-label={t('chat.edit')}
        autoFocus
        rows={Math.min(10, words.split('\n').length + 1)}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <div className={styles.foot}>
        <span className={styles.hint}>{t('chat.editHint')}</span>
        <Button size="s" onClick={onCancel}>
          {t('act.cancel')}
        </Button>
        <Button size="s" kind="primary" type="submit" disabled={words.trim() === ''}>
          {t('chat.send')}
        </Button>
      </div>
    </form>
  )
}
