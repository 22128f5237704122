import { Link } from '@tanstack/react-router'
import {
  AlignLeft,
  ArrowLeft,
  ListTree,
  MessageSquareText,
  MoveHorizontal,
  Search,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentInfo, PageKind } from '@/api/types'
import { IconButton } from '@/components/button'
import { titleOf } from '@/lib/document-title'
import styles from './reader-bar.module.css'

interface ReaderBarProps {
  info: DocumentInfo
  page: number
  pageCount: number
  label: string
  /** What kind of page it is, when it is more than text. */
  kind: PageKind | null
  compact: boolean
  contents: boolean
  text: boolean
  asking: boolean
  onContents: () => void
  onText: () => void
  onFind: () => void
  onPage: (page: number) => void
  onZoom: (step: 1 | -1) => void
  onFit: (fit: 'page-width' | 'page-fit') => void
  onAsking?: ((asking: boolean) => void) | undefined
  onClose?: (() => void) | undefined
}

export function ReaderBar(props: ReaderBarProps) {
  const { info, compact, onAsking } = props
  const { t } = useTranslation()
  return (
    <header className={styles.bar}>
      <div className={styles.start}>
        {props.onClose ? (
          <IconButton label={t('act.close')} icon={<X size={18} />} onClick={props.onClose} />
        ) : (
          <Link to="/library" className={styles.back} aria-label={t('nav.library')} title={t('nav.library')}>
            <ArrowLeft size={18} />
          </Link>
        )}
        {!compact && (
          <IconButton
            label={t('reader.contents')}
            icon={<ListTree size={18} />}
            pressed={props.contents}
            onClick={props.onContents}
          />
        )}
        <h1 className={styles.title} title={info.name}>
          {compact ? (
            <Link to="/read/$documentId" params={{ documentId: info.id }} search={{ page: props.page }}>
              {titleOf(info)}
            </Link>
          ) : (
            titleOf(info)
          )}
        </h1>
      </div>
      <PageField key={props.page} {...props} />
      <div className={styles.end}>
        <span className={styles.wide}>
          <IconButton
            label={t('reader.zoomOut')}
            shortcut="-"
            icon={<ZoomOut size={18} />}
            onClick={() => props.onZoom(-1)}
          />
          <IconButton
            label={t('reader.zoomIn')}
            shortcut="+"
            icon={<ZoomIn size={18} />}
            onClick={() => props.onZoom(1)}
          />
          <IconButton
            label={t('reader.fit')}
            icon={<MoveHorizontal size={18} />}
            onClick={() => props.onFit('page-width')}
          />
        </span>
        {!compact && (
          <>
            <IconButton label={t('reader.find')} shortcut="/" icon={<Search size={18} />} onClick={props.onFind} />
            <IconButton
              label={t('reader.text')}
              icon={<AlignLeft size={18} />}
              pressed={props.text}
              onClick={props.onText}
            />
          </>
        )}
        {onAsking && (
          <IconButton
            label={t('reader.ask')}
            icon={<MessageSquareText size={18} />}
            pressed={props.asking}
            onClick={() => onAsking(!props.asking)}
          />
        )}
      </div>
    </header>
  )
}

function PageField({ page, pageCount, label, kind, onPage }: ReaderBarProps) {
  const { t, i18n } = useTranslation()
  const kindKey = `reader.kind.${kind?.kind}`
  const [typed, setTyped] = useState(String(page))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = Number(typed)
    if (Number.isInteger(wanted)) onPage(wanted)
  }
  return (
    <form className={styles.page} onSubmit={submit}>
      <input
        aria-label={t('reader.page')}
        inputMode="numeric"
        value={typed}
        style={{ width: `${Math.max(2, String(pageCount).length) + 1.5}ch` }}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
      />
      <span>/ {pageCount}</span>
      {label !== '' && label !== String(page) && <span className={styles.label}>{t('reader.printed', { label })}</span>}
      {kind && kind.kind !== 'text' && (
        <span className={styles.kind} title={kind.kind_reason}>
          {i18n.exists(kindKey) ? t(kindKey as 'reader.kind.scan') : kind.kind}
        </span>
      )}
    </form>
  )
}
