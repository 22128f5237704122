import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Copy, Library } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { uploadFile } from '@/api/documents'
import { keys } from '@/api/query-keys'
import { Button } from '@/components/button'
import { say } from '@/components/toasts'
import { asProblem } from '@/lib/problems'
import { correctedText } from './corrections'
import type { ScanJob } from './scan-job'
import styles from './scan-screen.module.css'

interface ScanToolsProps {
  job: ScanJob
}

/** Copy all of it; put the file into the library. */
export function ScanTools({ job }: ScanToolsProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const add = useMutation({
    mutationFn: (file: File) => uploadFile(file, { onProgress: () => {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.documents }),
    onError: (error) => {
      const { code, message } = asProblem(error)
      say(t('ocr.addFailed', { why: message || code }))
    },
  })
  const copy = async () => {
    await navigator.clipboard.writeText(job.pages.map(correctedText).join('\n\n'))
    say(t('act.copied'))
  }
  return (
    <>
      {job.pages.length > 1 && (
        <Button icon={<Copy size={15} />} onClick={copy}>
          {t('ocr.copyAll')}
        </Button>
      )}
      {add.isSuccess && add.variables === job.file ? (
        <Link to="/read/$documentId" params={{ documentId: add.data.document.id }} className={styles.added}>
          <Check size={15} aria-hidden="true" />
          {t('ocr.added')}
        </Link>
      ) : (
        <Button
          kind="primary"
          icon={<Library size={15} />}
          disabled={add.isPending}
          onClick={() => add.mutate(job.file)}
        >
          {t('ocr.add')}
        </Button>
      )}
    </>
  )
}
