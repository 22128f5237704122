import { X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from './button'
import styles from './toasts.module.css'

interface Toast {
  id: number
  text: string
  action?: { label: string; run: () => void }
  forMs: number
}

let toasts: readonly Toast[] = []
let nextId = 1
const watchers = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const tell of watchers) tell()
}

/** Say something in passing, with one thing to do about it at most. */
export function say(text: string, { action, forMs = 6_000 }: { action?: Toast['action']; forMs?: number } = {}): void {
  change([...toasts.slice(-2), { id: nextId++, text, forMs, ...(action ? { action } : {}) }])
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

function subscribe(tell: () => void): () => void {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section className={styles.stack} aria-live="polite" aria-relevant="additions text">
      {shown.map((toast) => (
        <ToastNote key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

interface ToastNoteProps {
  toast: Toast
}

function ToastNote({ toast }: ToastNoteProps) {
  const { t } = useTranslation()
  useEffect(() => {
    const timer = setTimeout(() => dismiss(toast.id), toast.forMs)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <div className={styles.toast}>
      <span>{toast.text}</span>
      {toast.action && (
        <Button
          size="s"
          kind="quiet"
          className={styles.action}
          onClick={() => {
            toast.action?.run()
            dismiss(toast.id)
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton label={t('act.close')} icon={<X size={15} />} onClick={() => dismiss(toast.id)} />
    </div>
  )
}
