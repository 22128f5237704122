import { Pencil, RefreshCw, Sparkles, WifiOff } from 'lucide-react'
import { memo, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Message } from '@/api/types'
import { Button, IconButton } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { ProblemNote } from '@/components/states'
import { type Answer, isOver, textOf } from './answer'
import { asMarkdown } from './as-markdown'
import { BranchSwitch } from './branch-switch'
import { CitedText } from './cited-text'
import { EditQuestion } from './edit-question'
import { ForgottenNote } from './forgotten-note'
import { useLiveAnswer } from './live-answers'
import { Trail } from './trail'
import styles from './turn-view.module.css'
import type { Turn } from './turns'

interface TurnViewProps {
  turn: Turn
  last: boolean
  busy: boolean
  onOver: () => void
  /** Ask again, in the same or other words: another branch of the conversation. */
  onAskAgain: (turn: Turn, text: string) => void
}

export const TurnView = memo(function TurnView({ turn, last, busy, onOver, onAskAgain }: TurnViewProps) {
  const { t } = useTranslation()
  const [editing, setEditing] = useState(false)
  const [asked, setAsked] = useState(false)
  const [looking, setLooking] = useState(turn.live)
  // What was followed while it grew stays in sight when it is done.
  if (turn.live && !looking) setLooking(true)
  const followed = useLiveAnswer(looking ? turn.runId : null)
  const { question, answer } = turn
  const over = followed !== null && isOver(followed)

  useEffect(() => {
    if (turn.live && over) onOver()
  }, [turn.live, over, onOver])

  const growing = turn.live && followed !== null
  const text = growing ? textOf(followed) : (answer?.text ?? (followed ? textOf(followed) : ''))
  const citations = growing ? followed.citations : (answer?.citations ?? followed?.citations ?? [])
  const ended = !turn.live || over

  return (
    <article className={styles.turn} data-last-turn={last || undefined}>
      {editing ? (
        <EditQuestion
          text={question.text}
          onCancel={() => setEditing(false)}
          onSend={(next) => {
            setEditing(false)
            onAskAgain(turn, next)
          }}
        />
      ) : (
        <div className={styles.question}>
          <h2>{question.text}</h2>
          <span className={styles.questionActs}>
            <IconButton
              label={t('chat.edit')}
              icon={<Pencil size={14} />}
              disabled={busy}
              onClick={() => setEditing(true)}
            />
            <BranchSwitch message={question} disabled={busy} />
          </span>
        </div>
      )}
      <div className={styles.answer} aria-busy={!ended}>
        {followed ? (
          <Trail answer={followed} startOpen={asked} />
        ) : (
          turn.runId &&
          !turn.live && (
            <LookInto
              mode={answer?.mode ?? null}
              onLook={() => {
                setAsked(true)
                setLooking(true)
              }}
            />
          )
        )}
        {text !== '' && <CitedText text={text} citations={citations} />}
        {followed && <ForgottenNote memory={followed.memory} />}
        <Ending answer={followed} message={answer} live={turn.live} />
        <span data-answer-end />
        {ended && text !== '' && (
          <div className={styles.acts}>
            <CopyButton label={t('chat.copyMarkdown')} text={() => asMarkdown(text, citations, t('chat.references'))} />
            <IconButton
              label={t('chat.again')}
              icon={<RefreshCw size={15} />}
              disabled={busy}
              onClick={() => onAskAgain(turn, question.text)}
            />
            {answer && <BranchSwitch message={answer} disabled={busy} />}
            <Provenance message={answer} answer={followed} />
          </div>
        )}
      </div>
    </article>
  )
})

function LookInto({ mode, onLook }: { mode: Message['mode']; onLook: () => void }) {
  const { t } = useTranslation()
  if (mode === 'offline') return null
  return (
    <Button size="s" kind="quiet" className={styles.look} onClick={onLook}>
      {t('trail.look')}
    </Button>
  )
}

interface EndingProps {
  answer: Answer | null
  message: Message | null
  live: boolean
}

function Ending({ answer, message, live }: EndingProps) {
  const { t } = useTranslation()
  if (answer?.phase === 'failed' && answer.problem) return <ProblemNote problem={answer.problem} />
  if (answer?.phase === 'stopped' || (!live && message?.status === 'stopped')) {
    return <p className={styles.stopped}>{t('chat.stopped')}</p>
  }
  if (!live && message?.status === 'failed') {
    return <ProblemNote problem={message.problem ?? { code: 'run_failed', message: '', advice: '' }} />
  }
  if (answer?.limit) return <p className={styles.stopped}>{t('chat.limit', { name: answer.limit })}</p>
  return null
}

function Provenance({ message, answer }: Omit<EndingProps, 'live'>) {
  const { t, i18n } = useTranslation()
  const mode = message?.mode ?? answer?.mode
  const model = message?.model ?? answer?.model
  if (mode !== 'offline') {
    return model ? (
      <span className={styles.by}>
        <Sparkles size={13} aria-hidden="true" /> {model}
      </span>
    ) : null
  }
  const reason = message?.offline_reason ?? answer?.offlineReason ?? ''
  const key = `problem.${reason}.advice`
  return (
    <span className={styles.by}>
      <WifiOff size={13} aria-hidden="true" /> {t('chat.byOffline')}
      {i18n.exists(key) && <span> · {t(key as 'problem.internal.advice')}</span>}
    </span>
  )
}
