import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { stopRun, useConversation } from '@/api/chats'
import { keys } from '@/api/query-keys'
import type { Scope } from '@/api/types'
import { IconButton } from '@/components/button'
import { ProblemNote, Waiting } from '@/components/states'
import { asProblem } from '@/lib/problems'
import { ChatBar } from './chat-bar'
import styles from './chat-page.module.css'
import { CitationLinks, type CitedPlace } from './citation-links'
import { Composer } from './composer'
import { FirstQuestion } from './first-question'
import { asked, useModelChoice } from './model-choice'
import { ModelPicker } from './model-picker'
import { ScopePicker } from './scope-picker'
import { TurnView } from './turn-view'
import { type Turn, turnsOf } from './turns'
import { useAsk } from './use-ask'

interface ChatPageProps {
  chatId: string | null
  /** Documents that a new conversation starts with. */
  startScope: Scope
  /** Words to begin the question with. */
  startText?: string
  /** Narrow, in a pane beside something else. */
  pane?: boolean
  linkTo: (place: CitedPlace) => string
  onStarted: (chatId: string) => void
}

const FIRST_SHOWN = 10

/** One conversation: its turns, and the field to ask the next question in. */
export function ChatPage({ chatId, startScope, startText = '', pane = false, linkTo, onStarted }: ChatPageProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const conversation = useConversation(chatId ?? '')
  const [chosenScope, setScope] = useState<Scope | null>(null)
  const [shownTurns, setShownTurns] = useState(FIRST_SHOWN)
  const [below, setBelow] = useState(false)
  const scroller = useRef<HTMLDivElement>(null)
  const model = useModelChoice()
  const ask = useAsk(chatId, (asked) => onStarted(asked.chatId))

  const messages = conversation.data?.messages
  const activeRun = conversation.data?.chat.active_run_id ?? null
  const turns = useMemo(() => turnsOf(messages ?? [], activeRun), [messages, activeRun])
  const scope = chosenScope ?? turns.at(-1)?.question.scope ?? startScope
  const lastId = turns.at(-1)?.question.id
  const last = turns.at(-1)

  // A new question goes to the top of the view and its answer grows below: nothing moves while it is read.
  useEffect(() => {
    if (!lastId) return
    const turn = scroller.current?.querySelector<HTMLElement>('[data-last-turn]')
    if (turn && scroller.current) scroller.current.scrollTop = turn.offsetTop - 16
  }, [lastId])

  const measure = () => {
    const box = scroller.current
    const end = box?.querySelector<HTMLElement>('[data-answer-end]:last-of-type')
    if (!box || !end) return setBelow(false)
    setBelow(end.getBoundingClientRect().top > box.getBoundingClientRect().bottom + 40)
  }
  const settle = () => {
    void queries.invalidateQueries({ queryKey: keys.chats })
  }
  const send = (text: string) => ask.mutate({ text, scope, ...asked(model) })
  const again = (turn: Turn, text: string) => {
    const wish = { scope: turn.question.scope ?? scope, ...asked(model) }
    if (turn.answer && text === turn.question.text) ask.mutate({ text: '', ...wish, regenerate: turn.answer.id })
    else ask.mutate({ text, ...wish, parent_id: turn.question.parent_id ?? '' })
  }

  const running = last?.live ? last.runId : null
  const composer = (
    <Composer
      key={`${chatId} ${startText}`}
      startText={startText}
      busy={ask.isPending}
      running={running !== null}
      onSend={(text) => send(text)}
      onStop={() => running && void stopRun(running)}
      choices={
        <>
          <ScopePicker scope={scope} onChange={setScope} />
          <ModelPicker />
        </>
      }
    />
  )
  const problem = ask.isError && <ProblemNote problem={asProblem(ask.error)} />

  if (chatId === null) {
    return (
      <CitationLinks value={linkTo}>
        <div className={styles.chat}>
          {!pane && <ChatBar title="" />}
          <div className={styles.first} data-pane={pane || undefined}>
            <FirstQuestion scope={scope} pane={pane} onAsk={(text) => send(text)}>
              {composer}
              {problem}
            </FirstQuestion>
          </div>
        </div>
      </CitationLinks>
    )
  }

  const from = Math.max(0, turns.length - shownTurns)
  return (
    <CitationLinks value={linkTo}>
      <div className={styles.chat} data-pane={pane || undefined}>
        {!pane && <ChatBar title={conversation.data?.chat.title ?? ''} />}
        <div ref={scroller} className={styles.scroller} onScroll={measure}>
          {conversation.isPending && <Waiting />}
          {conversation.isError && (
            <ProblemNote problem={asProblem(conversation.error)} onRetry={() => conversation.refetch()} />
          )}
          <div className={styles.turns}>
            {from > 0 && (
              <button type="button" className={styles.earlier} onClick={() => setShownTurns(shownTurns + 40)}>
                {t('chat.earlier', { count: from })}
              </button>
            )}
            {turns.slice(from).map((turn) => (
              <TurnView
                key={turn.question.id}
                turn={turn}
                last={turn === last}
                onOver={settle}
                onAskAgain={again}
                busy={running !== null || ask.isPending}
              />
            ))}
          </div>
          {problem}
        </div>
        <div className={styles.foot}>
          {below && (
            <IconButton
              className={styles.down}
              label={t('chat.toEnd')}
              icon={<ArrowDown size={18} />}
              onClick={() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: 'smooth' })}
            />
          )}
          {composer}
        </div>
      </div>
    </CitationLinks>
  )
}
