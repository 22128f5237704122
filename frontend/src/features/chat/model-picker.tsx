import { Link } from '@tanstack/react-router'
import { Check, Eye, Sparkles, WifiOff } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHealth, useModels } from '@/api/server'
import { ProblemNote, Waiting } from '@/components/states'
import { asProblem } from '@/lib/problems'
import { formatCount } from '@/lib/sizes'
import { chooseModel, type ModelChoice, useModelChoice } from './model-choice'
import styles from './scope-picker.module.css'

/** Which model answers the next question; the offline reader is one of the choices, and the only one without a model. */
export function ModelPicker() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const health = useHealth()
  const choice = useModelChoice()
  const set = health.data?.model
  if (!set) return null
  const effective: ModelChoice = set.configured ? choice : { kind: 'offline' }
  const words =
    effective.kind === 'offline' ? t('chat.byOffline') : effective.kind === 'named' ? effective.name : set.name
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={styles.trigger} aria-label={t('model.label', { words })}>
        {effective.kind === 'offline' ? (
          <WifiOff size={15} aria-hidden="true" />
        ) : (
          <Sparkles size={15} aria-hidden="true" />
        )}
        <span>{words}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.panel}
          align="start"
          side="top"
          sideOffset={8}
          collisionPadding={12}
          aria-label={t('model.title')}
        >
          <Choices choice={effective} set={set.configured ? set.name : ''} onDone={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface ChoicesProps {
  choice: ModelChoice
  /** The model that is set, or "". */
  set: string
  onDone: () => void
}

function Choices({ choice, set, onDone }: ChoicesProps) {
  const { t, i18n } = useTranslation()
  const models = useModels(set !== '')
  const choose = (next: ModelChoice) => {
    chooseModel(next)
    onDone()
  }
  const others = (models.data?.models ?? []).filter((model) => model.name !== set)
  return (
    <>
      {set !== '' && (
        <Option chosen={choice.kind === 'set'} onChoose={() => choose({ kind: 'set' })} hint={t('model.set')}>
          {set}
        </Option>
      )}
      {set !== '' && models.isPending && <Waiting />}
      {models.isError && <ProblemNote problem={asProblem(models.error)} />}
      {others.length > 0 && (
        <ul className={styles.list}>
          {others.map((model) => (
            <li key={model.name}>
              <Option
                chosen={choice.kind === 'named' && choice.name === model.name}
                onChoose={() => choose({ kind: 'named', name: model.name })}
                hint={t('model.window', { tokens: formatCount(model.window, i18n.language) })}
                sees={model.sees_images}
              >
                {model.name}
              </Option>
            </li>
          ))}
        </ul>
      )}
      <Option
        chosen={choice.kind === 'offline'}
        onChoose={() => choose({ kind: 'offline' })}
        hint={t('model.offlineHint')}
      >
        {t('chat.byOffline')}
      </Option>
      <Link to="/settings" className={styles.more} onClick={onDone}>
        {t(set === '' ? 'library.addModel' : 'model.settings')}
      </Link>
    </>
  )
}

interface OptionProps {
  chosen: boolean
  hint: string
  sees?: boolean
  onChoose: () => void
  children: ReactNode
}

function Option({ chosen, hint, sees = false, onChoose, children }: OptionProps) {
  const { t } = useTranslation()
  return (
    <button type="button" className={styles.option} aria-pressed={chosen} onClick={onChoose}>
      <span className={styles.check}>{chosen && <Check size={15} />}</span>
      <span className={styles.two}>
        <span>
          {children}
          {sees && <Eye size={14} aria-label={t('model.sees')} />}
        </span>
        <small>{hint}</small>
      </span>
    </button>
  )
}
