import { useRouter } from '@tanstack/react-router'
import { BadgeCheck, CircleHelp } from 'lucide-react'
import { HoverCard } from 'radix-ui'
import { type MouseEvent, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { useTitles } from '@/api/documents'
import type { Citation } from '@/api/types'
import { shortName } from '@/lib/citation-marks'
import styles from './citation-chip.module.css'
import { CitationLinks, useCited } from './citation-links'
import { usePreview } from './use-preview'

interface CitationChipProps {
  index: number
}

/** The n-th citation of an answer, where its mark stands. */
export function CitationChip({ index }: CitationChipProps) {
  const { t } = useTranslation()
  const { citations, marks, several } = useCited()
  const citation = citations[index]
  const mark = marks[index]
  const label = several ? shortName(mark?.label ?? citation?.name ?? '') : ''
  if (citation) return <CheckedChip citation={citation} label={label} />
  if (!mark) return null
  return (
    <span className={styles.pending}>
      {label} {t('chat.page', { page: mark.page })}
    </span>
  )
}

interface CheckedChipProps {
  citation: Citation
  /** The document's name, when the answer cites more than one. */
  label: string
}

function CheckedChip({ citation, label }: CheckedChipProps) {
  const { t } = useTranslation()
  const { history } = useRouter()
  const href = useContext(CitationLinks)(citation)
  const preview = usePreview()
  const title = useTitles().byId.get(citation.document_id) ?? ''
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    preview.follow(event)
    history.push(href)
  }
  const page = t('chat.page', { page: citation.page })
  const state = t(citation.verified ? 'chat.verified' : 'chat.unverified')
  return (
    <HoverCard.Root openDelay={220} closeDelay={120} open={preview.shown} onOpenChange={preview.onOpenChange}>
      <HoverCard.Trigger asChild>
        <a
          {...preview.trigger}
          href={href}
          className={styles.chip}
          data-unverified={!citation.verified || undefined}
          aria-label={`${title || citation.name}, ${page}, ${state}`}
          onClick={open}
        >
          {label && <span>{label} </span>}
          {page}
          {!citation.verified && <span aria-hidden="true"> ?</span>}
        </a>
      </HoverCard.Trigger>
      <HoverCard.Portal>
        <HoverCard.Content className={styles.card} side="top" sideOffset={6} collisionPadding={12}>
          <p className={styles.source}>
            <span>{title || citation.name}</span>
            <span className={styles.page}>
              {page}
              {citation.page_label && citation.page_label !== String(citation.page) && ` (${citation.page_label})`}
            </span>
          </p>
          {title && <p className={styles.file}>{citation.name}</p>}
          {citation.document_removed && (
            <p className={styles.state} data-unverified>
              {t('chat.removed')}
            </p>
          )}
          {citation.quote && <blockquote className={styles.quote}>{citation.quote}</blockquote>}
          <p className={styles.state} data-unverified={!citation.verified || undefined}>
            {citation.verified ? <BadgeCheck size={15} /> : <CircleHelp size={15} />}
            {citation.status === 'moved'
              ? t('chat.moved')
              : t(citation.verified ? 'chat.verifiedLong' : 'chat.unverifiedLong')}
          </p>
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  )
}
