import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpenText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { addSample } from '@/api/documents'
import { keys } from '@/api/query-keys'
import { useHealth } from '@/api/server'
import { Button } from '@/components/button'
import { Empty, ProblemNote } from '@/components/states'
import { asProblem } from '@/lib/problems'
import styles from './first-document.module.css'

interface FirstDocumentProps {
  onChoose: () => void
}

/** A library without documents: how to add one, one to try things on, and what works without a model. */
export function FirstDocument({ onChoose }: FirstDocumentProps) {
  const { t, i18n } = useTranslation()
  const queries = useQueryClient()
  const health = useHealth()
  const sample = useMutation({
    mutationFn: () => addSample(i18n.language === 'zh' ? 'zh' : 'en'),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.documents }),
  })
  return (
    <Empty icon={<BookOpenText size={52} strokeWidth={1} />} title={t('library.first')}>
      <p>{t('library.firstHint')}</p>
      <div className={styles.acts}>
        <Button kind="primary" onClick={onChoose}>
          {t('library.choose')}
        </Button>
        <Button disabled={sample.isPending || sample.isSuccess} onClick={() => sample.mutate()}>
          {t('library.sample')}
        </Button>
      </div>
      {sample.isError && <ProblemNote problem={asProblem(sample.error)} />}
      {health.data && !health.data.model.configured && (
        <p className={styles.noModel}>
          {t('library.noModel')} <Link to="/settings">{t('library.addModel')}</Link>
        </p>
      )}
    </Empty>
  )
}
