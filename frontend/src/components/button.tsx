import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './button.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 's' | 'm'
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function Button({ kind = 'plain', size = 'm', icon, children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`${styles.button} ${styles[kind]} ${styles[size]} ${className}`} {...rest}>
      {icon}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
  label: string
  icon: ReactNode
  pressed?: boolean
  /** Keys that do the same, told in the tooltip. */
  shortcut?: string
  ref?: Ref<HTMLButtonElement>
}

export function IconButton({ label, icon, pressed, shortcut, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      title={shortcut ? `${label} (${shortcut})` : label}
      className={`${styles.icon} ${className}`}
      {...rest}
    >
      {icon}
    </button>
  )
}
