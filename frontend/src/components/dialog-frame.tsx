import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button'
import styles from './dialog-frame.module.css'

interface DialogFrameProps {
  title: string
  description?: string
  wide?: boolean
  onClose: () => void
  children: ReactNode
}

export function DialogFrame({ title, description, wide = false, onClose, children }: DialogFrameProps) {
  const { t } = useTranslation()
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.veil} />
        <Dialog.Content
          className={styles.frame}
          data-wide={wide || undefined}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className={styles.head}>
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={t('act.close')} icon={<X size={17} />} />
            </Dialog.Close>
          </div>
          {description && <Dialog.Description className={styles.description}>{description}</Dialog.Description>}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Acts({ children }: { children: ReactNode }) {
  return <div className={styles.acts}>{children}</div>
}

DialogFrame.Acts = Acts
