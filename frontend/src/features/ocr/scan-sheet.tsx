import { Pencil, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ScanPage } from '@/api/ocr'
import { IconButton } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { formatSeconds } from '@/lib/sizes'
import { correctedText, correctScan } from './corrections'
import { ScanPicture } from './scan-picture'
import styles from './scan-sheet.module.css'
import { ScanWords } from './scan-words'

interface ScanSheetProps {
  page: ScanPage
  /** The only page of its file: its number tells nothing. */
  alone: boolean
}

/** One page: the picture with a box round each word, and beside it the words. Pointing at one shows the other. */
export function ScanSheet({ page, alone }: ScanSheetProps) {
  const { t, i18n } = useTranslation()
  const [pointed, setPointed] = useState<number | null>(null)
  const [editing, setEditing] = useState(false)
  const [text, setText] = useState(() => correctedText(page))
  const changed = text !== page.text
  const write = (next: string) => {
    setText(next)
    correctScan(page, next)
  }
  const facts = [
    !alone && t('chat.page', { page: page.number }),
    t('ocr.sure', { share: Math.round(page.confidence * 100) }),
    page.engine,
    page.turned > 0 && t('ocr.turned', { degrees: page.turned }),
    formatSeconds(page.seconds, i18n.language),
  ].filter(Boolean)
  return (
    <section className={styles.sheet} aria-label={t('chat.page', { page: page.number })}>
      <ScanPicture page={page} pointed={pointed} onPoint={setPointed} />
      <div className={styles.side}>
        <div className={styles.head}>
          <p className={styles.facts}>{facts.join(' · ')}</p>
          {changed && (
            <IconButton label={t('ocr.restore')} icon={<Undo2 size={16} />} onClick={() => write(page.text)} />
          )}
          <IconButton
            label={t('ocr.correct')}
            icon={<Pencil size={16} />}
            pressed={editing}
            onClick={() => setEditing(!editing)}
          />
          <CopyButton text={text} />
        </div>
        {editing ? (
          <textarea
            className={styles.field}
            aria-label={t('ocr.correct')}
            autoFocus
            value={text}
            rows={Math.min(40, text.split('\n').length + 2)}
            onChange={(event) => write(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setEditing(false)}
          />
        ) : changed ? (
          <p className={styles.text}>{text}</p>
        ) : text.trim() === '' ? (
          <p className={styles.none}>{t('reader.noText')}</p>
        ) : (
          <ScanWords page={page} pointed={pointed} onPoint={setPointed} />
        )}
      </div>
    </section>
  )
}
