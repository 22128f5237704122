import { Copy, MessageSquareText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import styles from './selection-ask.module.css'

interface SelectionAskProps {
  onAsk: (selection: string) => void
}

interface Selected {
  text: string
  x: number
  y: number
}

const LONGEST = 1_500

/** A small bar over text selected on the page: ask about it, or copy it. */
export function SelectionAsk({ onAsk }: SelectionAskProps) {
  const { t } = useTranslation()
  const [selected, setSelected] = useState<Selected | null>(null)

  useEffect(() => {
    const read = () => {
      const selection = document.getSelection()
      const inPage = selection?.anchorNode?.parentElement?.closest('.textLayer, [data-page-text]')
      const text = selection?.toString().replace(/\s+/g, ' ').trim() ?? ''
      if (!selection || !inPage || text.length < 3 || selection.rangeCount === 0) return setSelected(null)
      const box = selection.getRangeAt(0).getBoundingClientRect()
      setSelected({ text: text.slice(0, LONGEST), x: box.left + box.width / 2, y: box.top })
    }
    const clear = () => document.getSelection()?.isCollapsed && setSelected(null)
    document.addEventListener('pointerup', read)
    document.addEventListener('keyup', read)
    document.addEventListener('selectionchange', clear)
    document.addEventListener('scroll', clear, true)
    return () => {
      document.removeEventListener('pointerup', read)
      document.removeEventListener('keyup', read)
      document.removeEventListener('selectionchange', clear)
      document.removeEventListener('scroll', clear, true)
    }
  }, [])

  if (!selected) return null
  const left = Math.max(90, Math.min(window.innerWidth - 90, selected.x))
  return (
    <div className={styles.bar} style={{ left, top: Math.max(60, selected.y - 8) }}>
      <Button size="s" kind="quiet" icon={<MessageSquareText size={15} />} onClick={() => onAsk(selected.text)}>
        {t('reader.askSelection')}
      </Button>
      <Button
        size="s"
        kind="quiet"
        icon={<Copy size={15} />}
        onClick={() => {
          void navigator.clipboard.writeText(selected.text)
          setSelected(null)
        }}
      >
        {t('act.copy')}
      </Button>
    </div>
  )
}
