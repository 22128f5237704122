import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button'

interface CopyButtonProps {
  text: string | (() => string)
  label?: string
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1_600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    setCopied(true)
  }
  return (
    <IconButton
      label={copied ? t('act.copied') : (label ?? t('act.copy'))}
      icon={copied ? <Check size={15} /> : <Copy size={15} />}
      onClick={copy}
    />
  )
}
