import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MemoryUsed } from '@/api/types'
import styles from './trail.module.css'

interface MemoryToldProps {
  items: readonly MemoryUsed[]
}

/** A word is matched by its stem; people want to see the word. */
function asWritten(stem: string, content: string): string {
  const words = content.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.find((word) => word.toLowerCase().startsWith(stem.toLowerCase()))?.toLowerCase() ?? stem
}

/** What an answer was reminded of, and why. */
export function MemoryTold({ items }: MemoryToldProps) {
  const { t } = useTranslation()
  return (
    <>
      <p>
        {t('trail.memory', { count: items.length })} <Link to="/memory">{t('memory.see')}</Link>
      </p>
      <ul>
        {items.map((item) => (
          <li key={item.id} className={styles.detail}>
            {item.content}{' '}
            <em>
              {item.reason === 'always'
                ? t('trail.memoryAlways')
                : t('trail.memoryMatched', {
                    words: item.matched.map((stem) => asWritten(stem, item.content)).join(', '),
                  })}
            </em>
          </li>
        ))}
      </ul>
    </>
  )
}
