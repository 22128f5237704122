import { ArrowUp, Square } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './composer.module.css'

interface ComposerProps {
  startText: string
  busy: boolean
  running: boolean
  /** What the question may read, and who answers it. */
  choices: ReactNode
  onSend: (text: string) => void
  onStop: () => void
}

const TALLEST = 240

export function Composer({ startText, busy, running, choices, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(startText)
  const field = useRef<HTMLTextAreaElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is as tall as its text
  useLayoutEffect(() => {
    if (!field.current) return
    field.current.style.height = 'auto'
    field.current.style.height = `${Math.min(TALLEST, field.current.scrollHeight)}px`
  }, [text])

  const ready = text.trim() !== '' && !busy && !running
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!ready) return
    onSend(text.trim())
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter while composing picks a Chinese word; it does not send.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      submit()
    }
    if (event.key === 'Escape' && running) onStop()
  }
  return (
    <form className={styles.composer} onSubmit={submit}>
      <textarea
        ref={field}
        rows={1}
        value={text}
        aria-label={t('chat.question')}
        placeholder={t('chat.placeholder')}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.foot}>
        {choices}
        {running ? (
          <button
            type="button"
            className={styles.send}
            aria-label={t('chat.stop')}
            title={t('chat.stop')}
            onClick={onStop}
          >
            <Square size={13} fill="currentColor" />
          </button>
        ) : (
          <button
            type="submit"
            className={styles.send}
            aria-label={t('chat.send')}
            title={t('chat.send')}
            disabled={!ready}
          >
            <ArrowUp size={18} />
          </button>
        )}
      </div>
    </form>
  )
}
