import { useTranslation } from 'react-i18next'
import { useSwitches } from '@/api/memories'
import type { Switches } from '@/api/types'
import { ProblemNote } from '@/components/states'
import { Toggle } from '@/components/toggle'
import { asProblem } from '@/lib/problems'
import styles from './memory-page.module.css'

interface MemorySwitchesProps {
  switches: Switches
}

/** Whether conversations are remembered, and whether what is remembered is told to the model. */
export function MemorySwitches({ switches }: MemorySwitchesProps) {
  const { t } = useTranslation()
  const change = useSwitches()
  // The wish shows at once; what the server says has the last word.
  const shown = change.isPending ? { ...switches, ...change.variables } : switches
  return (
    <div className={styles.switches}>
      {(['extraction', 'injection'] as const).map((name) => (
        <Toggle
          key={name}
          label={t(`memory.switch.${name}`)}
          hint={t(`memory.switch.${name}Hint`)}
          checked={shown[name] ?? true}
          onChange={(checked) => change.mutate({ [name]: checked })}
        />
      ))}
      {change.isError && <ProblemNote problem={asProblem(change.error)} />}
    </div>
  )
}
