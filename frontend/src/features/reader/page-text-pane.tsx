import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { usePageText } from '@/api/documents'
import { IconButton } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { ProblemNote, Waiting } from '@/components/states'
import { asProblem } from '@/lib/problems'
import { reflow } from '@/lib/reflow'
import styles from './page-text-pane.module.css'

interface PageTextPaneProps {
  documentId: string
  page: number
  onClose: () => void
}

/** The page's text as the agent reads it, beside the page. */
export function PageTextPane({ documentId, page, onClose }: PageTextPaneProps) {
  const { t, i18n } = useTranslation()
  const text = usePageText(documentId, page)
  const kind = text.data?.kind ?? ''
  const kindKey = `reader.kind.${kind}`
  return (
    <section className={styles.pane} aria-label={t('reader.text')}>
      <div className={styles.head}>
        <h2>{t('reader.pageText', { page })}</h2>
        {kind && kind !== 'text' && (
          <span className={styles.kind} title={text.data?.kind_reason}>
            {i18n.exists(kindKey) ? t(kindKey as 'reader.kind.scan') : kind}
          </span>
        )}
        <span className={styles.acts}>
          <CopyButton text={text.data?.text ?? ''} />
          <IconButton label={t('act.close')} icon={<X size={17} />} onClick={onClose} />
        </span>
      </div>
      <div className={styles.body}>
        {text.isPending && <Waiting />}
        {text.isError && <ProblemNote problem={asProblem(text.error)} onRetry={() => text.refetch()} />}
        {text.isSuccess &&
          (text.data.text.trim() === '' ? (
            <p className={styles.none}>{t('reader.noText')}</p>
          ) : (
            <div className={styles.text} data-page-text>
              {text.data.kind === 'table' ? text.data.text : reflow(text.data.text)}
            </div>
          ))}
      </div>
    </section>
  )
}
