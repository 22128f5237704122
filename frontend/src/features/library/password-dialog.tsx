import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { DialogFrame } from '@/components/dialog-frame'
import { TextField } from '@/components/text-field'

interface PasswordDialogProps {
  name: string
  onGive: (password: string) => void
  onClose: () => void
}

export function PasswordDialog({ name, onGive, onClose }: PasswordDialogProps) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onGive(password)
    onClose()
  }
  return (
    <DialogFrame title={t('library.passwordTitle')} description={t('library.passwordHint', { name })} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label={t('library.password')}
          type="password"
          autoComplete="off"
          value={password}
          onChange={setPassword}
        />
        <DialogFrame.Acts>
          <Button onClick={onClose}>{t('act.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={password === ''}>
            {t('library.unlock')}
          </Button>
        </DialogFrame.Acts>
      </form>
    </DialogFrame>
  )
}
