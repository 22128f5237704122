import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/button'
import styles from './find-bar.module.css'

interface FindBarProps {
  found: { current: number; total: number }
  onFind: (query: string, direction?: 'next' | 'previous') => void
  onClose: () => void
}

export function FindBar({ found, onFind, onClose }: FindBarProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  return (
    <search className={styles.bar}>
      <input
        type="text"
        aria-label={t('reader.find')}
        placeholder={t('reader.find')}
        autoFocus
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          onFind(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onFind(query, event.shiftKey ? 'previous' : 'next')
          if (event.key === 'Escape') onClose()
        }}
      />
      <span className={styles.count} role="status">
        {query !== '' && t('reader.found', { current: found.current, total: found.total })}
      </span>
      <IconButton
        label={t('reader.previous')}
        icon={<ChevronUp size={17} />}
        onClick={() => onFind(query, 'previous')}
      />
      <IconButton label={t('reader.next')} icon={<ChevronDown size={17} />} onClick={() => onFind(query, 'next')} />
      <IconButton label={t('act.close')} icon={<X size={17} />} onClick={onClose} />
    </search>
  )
}
