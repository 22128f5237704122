import { Link } from '@tanstack/react-router'
import { BookX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Empty } from '@/components/states'

export function NotFound() {
  const { t } = useTranslation()
  return (
    <Empty icon={<BookX size={40} strokeWidth={1.2} />} title={t('state.noSuchPlace')}>
      <Link to="/library">{t('nav.library')}</Link>
    </Empty>
  )
}
