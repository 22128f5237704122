import { BookOpen, Brain, ChevronRight, CircleAlert, Eye, FileSearch, Library, ListTree, Wrench } from 'lucide-react'
import { Collapsible } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTitles } from '@/api/documents'
import { formatPageList } from '@/lib/page-range'
import { formatCount, formatSeconds } from '@/lib/sizes'
import { type Answer, budgetLeft, isOver, memoryTold, pagesRead, type Round, type ToolCall } from './answer'
import { MemoryTold } from './memory-told'
import { PageThumbs } from './page-thumbs'
import styles from './trail.module.css'

interface AnswerProps {
  answer: Answer
}

interface TrailProps extends AnswerProps {
  startOpen?: boolean
}

/** What the agent did, round by round: one line that opens. While it works, the line says what it is doing. */
export function Trail({ answer, startOpen = false }: TrailProps) {
  const [open, setOpen] = useState(startOpen)
  const working = !isOver(answer)
  const steps = answer.rounds.filter((round) => round.calls.length > 0)
  const told = memoryTold(answer)
  if (!working && steps.length === 0 && told.length === 0) return null
  return (
    <Collapsible.Root open={open} onOpenChange={setOpen} className={styles.trail}>
      <Collapsible.Trigger className={styles.line} data-working={working || undefined}>
        <ChevronRight size={15} className={styles.arrow} aria-hidden="true" />
        <span aria-live="polite">{working ? <Doing answer={answer} /> : <Done answer={answer} />}</span>
      </Collapsible.Trigger>
      <Collapsible.Content className={styles.steps}>
        <ol>
          {told.length > 0 && (
            <Step icon={<Brain size={15} />}>
              <MemoryTold items={told} />
            </Step>
          )}
          {answer.rounds.map((round, index) => (
            <RoundSteps key={round.number} round={round} last={index === answer.rounds.length - 1} />
          ))}
        </ol>
        <Costs answer={answer} />
      </Collapsible.Content>
    </Collapsible.Root>
  )
}

function Doing({ answer }: AnswerProps) {
  const { t } = useTranslation()
  const round = answer.rounds.at(-1)
  const call = round?.calls.findLast((item) => item.state === 'running')
  if (call) return <CallWords call={call} />
  if (round && round.text !== '' && round.calls.length === 0) return t('trail.writing')
  return t(answer.rounds.length > 1 ? 'trail.thinkingOn' : 'trail.thinking')
}

function Done({ answer }: AnswerProps) {
  const { t } = useTranslation()
  const pages = pagesRead(answer).length
  const rounds = answer.rounds.length
  const told = memoryTold(answer).length
  return [
    pages === 0
      ? t('trail.doneNoPages', { count: rounds })
      : `${t('trail.donePages', { count: pages })} · ${t('trail.rounds', { count: rounds })}`,
    told > 0 && t('trail.memoryShort', { count: told }),
  ]
    .filter(Boolean)
    .join(' · ')
}

interface RoundStepsProps {
  round: Round
  last: boolean
}

function RoundSteps({ round, last }: RoundStepsProps) {
  const thinking = [round.reasoning, last && round.calls.length === 0 ? '' : round.text].filter((text) => text.trim())
  return (
    <>
      {thinking.map((text) => (
        <Step key={text.slice(0, 40)} icon={<Brain size={15} />}>
          <p className={styles.thought}>{text}</p>
        </Step>
      ))}
      {round.calls.map((call) => (
        <Step key={call.id} icon={iconOf(call)} state={call.state}>
          <p>
            <CallWords call={call} />
            <CallTime seconds={call.seconds} />
          </p>
          {call.state === 'failed' && <p className={styles.failure}>{call.summary}</p>}
          {call.pages.length > 0 && <PageThumbs pages={call.pages} />}
        </Step>
      ))}
    </>
  )
}

function CallTime({ seconds }: { seconds: number }) {
  const { i18n } = useTranslation()
  return seconds >= 0.1 ? <span className={styles.time}>{formatSeconds(seconds, i18n.language)}</span> : null
}

interface StepProps {
  icon: ReactNode
  state?: ToolCall['state']
  children: ReactNode
}

function Step({ icon, state, children }: StepProps) {
  return (
    <li className={styles.step} data-state={state}>
      <span className={styles.dot} aria-hidden="true">
        {icon}
      </span>
      <div>{children}</div>
    </li>
  )
}

function iconOf(call: ToolCall): ReactNode {
  if (call.state === 'failed') return <CircleAlert size={15} />
  switch (call.name) {
    case 'get_page_content':
      return <BookOpen size={15} />
    case 'get_page_image':
      return <Eye size={15} />
    case 'recall_memory':
      return <Brain size={15} />
    case 'search_pages':
      return <FileSearch size={15} />
    case 'get_document_structure':
      return <ListTree size={15} />
    case 'list_documents':
    case 'get_document':
      return <Library size={15} />
    default:
      return <Wrench size={15} />
  }
}

/** A tool call in words: "Reads pages 3–5 of …". */
function CallWords({ call }: { call: ToolCall }) {
  const { t, i18n } = useTranslation()
  const input = (call.input && typeof call.input === 'object' ? call.input : {}) as Record<string, unknown>
  const titles = useTitles()
  const first = call.pages[0]
  const name = first ? titles.byId.get(first.document_id) || first.name : ''
  const pages = call.pages.length > 0 ? formatPageList(call.pages.map((page) => page.page)) : String(input.pages ?? '')
  const key = `trail.tool.${call.name}`
  if (!i18n.exists(key)) return t('trail.tool.other', { name: call.name })
  return t(key as 'trail.tool.get_page_content', { name, pages, query: String(input.query ?? '') }).trim()
}

function Costs({ answer }: AnswerProps) {
  const { t, i18n } = useTranslation()
  const { usage, budget } = answer
  if (!usage) return null
  const left = budget && budgetLeft(budget)
  const count = (value: number) => formatCount(value, i18n.language)
  const facts = [
    usage.input_tokens + usage.output_tokens > 0 &&
      t('trail.tokens', { input: count(usage.input_tokens), output: count(usage.output_tokens) }),
    usage.cost !== null && usage.cost !== undefined && t('trail.cost', { cost: usage.cost.toFixed(4) }),
    usage.vision_calls > 0 && t('trail.vision', { count: usage.vision_calls }),
    left !== null && t('trail.left', { share: Math.floor(left * 100) }),
    answer.model,
  ].filter(Boolean)
  return facts.length > 0 ? <p className={styles.costs}>{facts.join(' · ')}</p> : null
}
