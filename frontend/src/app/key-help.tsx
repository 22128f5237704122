import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogFrame } from '@/components/dialog-frame'
import styles from './key-help.module.css'

interface KeyHelpProps {
  onClose: () => void
}

const KEYS = [
  ['Ctrl K', 'palette'],
  ['/', 'search'],
  ['n', 'newChat'],
  ['g l', 'library'],
  ['Enter', 'send'],
  ['Shift Enter', 'line'],
  ['Esc', 'stop'],
  ['j', 'nextPage'],
  ['k', 'previousPage'],
  ['+ −', 'zoom'],
  ['?', 'help'],
] as const

export function KeyHelp({ onClose }: KeyHelpProps) {
  const { t } = useTranslation()
  return (
    <DialogFrame title={t('help.title')} onClose={onClose}>
      <dl className={styles.keys}>
        {KEYS.map(([keys, name]) => (
          <div key={name}>
            <dt>
              {keys.split(' ').map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && ' '}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{t(`help.keys.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </DialogFrame>
  )
}
