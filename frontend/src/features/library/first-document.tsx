import { BookOpenText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Empty } from '@/components/states'

interface FirstDocumentProps {
  onChoose: () => void
}

export function FirstDocument({ onChoose }: FirstDocumentProps) {
  const { t } = useTranslation()
  return (
    <Empty icon={<BookOpenText size={52} strokeWidth={1} />} title={t('library.first')}>
      <p>{t('library.firstHint')}</p>
      <Button kind="primary" onClick={onChoose}>
        {t('library.choose')}
      </Button>
    </Empty>
  )
}
