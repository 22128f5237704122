import { Switch } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import styles from './toggle.module.css'

interface ToggleProps {
  label: string
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** On or off, with words that say what. */
export function Toggle({ label, hint, checked, disabled, onChange }: ToggleProps) {
  const id = useId()
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <label htmlFor={id}>{label}</label>
        {hint && <p id={`${id}-hint`}>{hint}</p>}
      </div>
      <Switch.Root
        id={id}
        className={styles.track}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onCheckedChange={onChange}
      >
        <Switch.Thumb className={styles.thumb} />
      </Switch.Root>
    </div>
  )
}
