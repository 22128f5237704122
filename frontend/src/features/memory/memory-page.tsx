import { Brain, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHidden } from '@/api/deletions'
import { memoryPath, useMemories } from '@/api/memories'
import type { MemoryCount, MemoryType } from '@/api/types'
import { Button } from '@/components/button'
import { Segments } from '@/components/segments'
import { Empty, ProblemNote, Waiting } from '@/components/states'
import { asProblem } from '@/lib/problems'
import { AddMemory } from './add-memory'
import { MemoryItem } from './memory-item'
import styles from './memory-page.module.css'
import { MemorySwitches } from './memory-switches'
import { MemoryTools } from './memory-tools'

const EVERY = 'all'
const TYPES = ['semantic', 'procedural', 'episodic', 'raw'] as const satisfies readonly MemoryType[]

/** What DocMind remembers of its reader: to see, to correct, to switch off, to delete. */
export function MemoryPage() {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [type, setType] = useState<MemoryType | null>(null)
  const [history, setHistory] = useState(false)
  const [adding, setAdding] = useState(false)
  const q = useDeferredValue(typed.trim())
  const list = useMemories({ q, type, history })
  const hidden = useHidden()
  const first = list.data?.pages[0]
  const items = (list.data?.pages ?? [])
    .flatMap((page) => page.items)
    .filter((item) => !hidden.has(memoryPath(item.id)))
  const counts = first?.counts ?? []
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <header className={styles.head}>
          <h1>{t('nav.memory')}</h1>
          <div className={styles.acts}>
            <Button kind="primary" onClick={() => setAdding(true)}>
              {t('memory.add')}
            </Button>
            <MemoryTools type={type} counts={counts} />
          </div>
        </header>
        <p className={styles.about}>{t('memory.about')}</p>
        {first && <MemorySwitches switches={first.switches} />}
        <div className={styles.tools} role="toolbar" aria-label={t('library.arrange')}>
          <Segments
            label={t('memory.type')}
            value={type ?? EVERY}
            options={[
              { value: EVERY, label: labelOf(t('memory.types.all'), total(counts, history)) },
              ...TYPES.map((value) => ({
                value,
                label: labelOf(t(`memory.types.${value}`), total(counts, history, value)),
              })),
            ]}
            onChange={(value) => setType(value === EVERY ? null : (value as MemoryType))}
          />
          <label className={styles.search}>
            <Search size={16} aria-hidden="true" />
            <span className="visually-hidden">{t('memory.find')}</span>
            <input
              type="search"
              value={typed}
              placeholder={t('memory.find')}
              onChange={(event) => setTyped(event.target.value)}
            />
          </label>
          {(history || counts.some((count) => count.history > 0)) && (
            <Button size="s" kind="quiet" aria-pressed={history} onClick={() => setHistory(!history)}>
              {t(history ? 'memory.hideHistory' : 'memory.showHistory')}
            </Button>
          )}
        </div>
        {adding && <AddMemory type={type ?? 'semantic'} onClose={() => setAdding(false)} />}
        {list.isPending && <Waiting />}
        {list.isError && <ProblemNote problem={asProblem(list.error)} onRetry={() => list.refetch()} />}
        {list.isSuccess && items.length === 0 && <NothingHere filtered={q !== '' || type !== null || history} />}
        <ul className={styles.items} aria-label={t('nav.memory')}>
          {items.map((item) => (
            <li key={item.id}>
              <MemoryItem item={item} />
            </li>
          ))}
        </ul>
        {list.hasNextPage && (
          <Button className={styles.more} disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {t('memory.more')}
          </Button>
        )}
      </div>
    </div>
  )
}

function NothingHere({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation()
  if (filtered) return <p className={styles.none}>{t('library.noMatch')}</p>
  return (
    <Empty icon={<Brain size={48} strokeWidth={1} />} title={t('memory.none')}>
      <p>{t('memory.noneHint')}</p>
    </Empty>
  )
}

function labelOf(name: string, count: number): string {
  return count > 0 ? `${name} ${count}` : name
}

function total(counts: readonly MemoryCount[], history: boolean, type?: MemoryType): number {
  return counts
    .filter((count) => type === undefined || count.type === type)
    .reduce((sum, count) => sum + (history ? count.history : count.items), 0)
}
