import { useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useChangeChat } from '@/api/chats'
import { keys } from '@/api/query-keys'
import type { Message } from '@/api/types'
import { IconButton } from '@/components/button'
import styles from './turn-view.module.css'

interface BranchSwitchProps {
  message: Message
  disabled: boolean
}

/** The other wordings of a question, or other answers to it: which of them is shown, and the way to the next. */
export function BranchSwitch({ message, disabled }: BranchSwitchProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const change = useChangeChat()
  const { siblings } = message
  if (siblings.length < 2) return null
  const at = siblings.indexOf(message.id)
  const show = (index: number) => {
    const leaf = siblings[index]
    if (!leaf) return
    change.mutate(
      { id: message.chat_id, leaf_id: leaf },
      { onSuccess: () => void queries.invalidateQueries({ queryKey: keys.chat(message.chat_id) }) },
    )
  }
  return (
    <span className={styles.branches}>
      <IconButton
        label={t('chat.earlierVersion')}
        icon={<ChevronLeft size={15} />}
        disabled={disabled || at <= 0}
        onClick={() => show(at - 1)}
      />
      <span>
        {at + 1} / {siblings.length}
      </span>
      <IconButton
        label={t('chat.laterVersion')}
        icon={<ChevronRight size={15} />}
        disabled={disabled || at >= siblings.length - 1}
        onClick={() => show(at + 1)}
      />
    </span>
  )
}
