import { ScanText, Square } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ENGINES, type Engine } from '@/api/ocr'
import { Button } from '@/components/button'
import { Choice } from '@/components/choice'
import { ProgressBar } from '@/components/progress-bar'
import { Empty, ProblemNote } from '@/components/states'
import { leaveScan, type ScanJob, startScan, stopScan, useScan } from './scan-job'
import styles from './scan-screen.module.css'
import { ScanSheet } from './scan-sheet'
import { ScanTools } from './scan-tools'

const ACCEPT = 'image/*,application/pdf,.heic,.heif,.tif,.tiff'

/** A picture or scan in, its words out, each beside its place on the picture. */
export function ScanScreen() {
  const { t } = useTranslation()
  const job = useScan()
  const picker = useRef<HTMLInputElement>(null)
  const [engine, setEngine] = useState<Engine>('auto')
  const [over, setOver] = useState(false)
  const read = (file: File | undefined) => file && void startScan(file, engine)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    read(event.dataTransfer.files[0])
  }
  const choose = () => picker.current?.click()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra way; the button does the same
    <div
      className={styles.page}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDrop={drop}
      onPaste={(event) => read(event.clipboardData.files[0])}
    >
      <input
        ref={picker}
        type="file"
        accept={ACCEPT}
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t('ocr.choose')}
        onChange={(event) => {
          read(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <header className={styles.head}>
        <div className={styles.title}>
          <h1>{t('nav.ocr')}</h1>
          {job && <p className={styles.name}>{job.file.name}</p>}
        </div>
        <div className={styles.acts}>
          <Choice
            label={t('ocr.engine')}
            value={engine}
            options={ENGINES.map((value) => ({ value, label: t(`ocr.engines.${value}`) }))}
            onChange={setEngine}
          />
          {job && <ScanTools job={job} />}
          {job && (
            <Button
              onClick={() => {
                leaveScan()
                choose()
              }}
            >
              {t('ocr.another')}
            </Button>
          )}
        </div>
      </header>
      {job ? <Reading job={job} /> : <NoScan onChoose={choose} />}
      {over && <div className={styles.veil}>{t('ocr.dropHere')}</div>}
    </div>
  )
}

function NoScan({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation()
  return (
    <Empty icon={<ScanText size={52} strokeWidth={1} />} title={t('ocr.first')}>
      <p>{t('ocr.firstHint')}</p>
      <Button kind="primary" onClick={onChoose}>
        {t('ocr.choose')}
      </Button>
    </Empty>
  )
}

function Reading({ job }: { job: ScanJob }) {
  const { t } = useTranslation()
  const working = job.phase === 'sending' || job.phase === 'reading'
  const done = job.pages.length + job.problems.length
  const words =
    job.expected.length === 0 ? t('ocr.sending') : t('ocr.reading', { done, count: Math.max(1, job.expected.length) })
  return (
    <div className={styles.body}>
      {working && (
        <div className={styles.progress} role="status">
          <span>{words}</span>
          <ProgressBar label={words} share={job.expected.length > 1 ? done / job.expected.length : null} />
          <Button size="s" icon={<Square size={12} fill="currentColor" />} onClick={stopScan}>
            {t('chat.stop')}
          </Button>
        </div>
      )}
      {job.phase === 'stopped' && <p className={styles.stopped}>{t('ocr.stopped', { count: job.pages.length })}</p>}
      {job.problem && <ProblemNote problem={job.problem} />}
      <ol className={styles.sheets}>
        {job.pages.map((page) => (
          <li key={page.number}>
            <ScanSheet page={page} alone={job.expected.length <= 1} />
          </li>
        ))}
        {job.problems.map((problem) => (
          <li key={`problem ${problem.page}`}>
            <h2 className={styles.number}>{t('chat.page', { page: problem.page })}</h2>
            <ProblemNote problem={problem} />
          </li>
        ))}
      </ol>
    </div>
  )
}
