import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddMemory } from '@/api/memories'
import type { MemoryType } from '@/api/types'
import { Segments } from '@/components/segments'
import { ProblemNote } from '@/components/states'
import { say } from '@/components/toasts'
import { asProblem } from '@/lib/problems'
import { MemoryEditor } from './memory-editor'

interface AddMemoryProps {
  type: MemoryType
  onClose: () => void
}

/** Past questions are not written by hand. */
const WRITABLE = ['semantic', 'procedural', 'episodic'] as const

export function AddMemory({ type, onClose }: AddMemoryProps) {
  const { t } = useTranslation()
  const add = useAddMemory()
  const [chosen, setChosen] = useState<MemoryType>(type === 'raw' ? 'semantic' : type)
  return (
    <>
      <MemoryEditor
        key={chosen}
        draft={{ type: chosen, content: '', keywords: [], always: true }}
        pending={add.isPending}
        onCancel={onClose}
        onSave={(draft) =>
          add.mutate(
            { type: chosen, pinned: false, ...draft },
            {
              onSuccess: ({ outcome }) => {
                if (outcome === 'merged') say(t('memory.merged'))
                onClose()
              },
            },
          )
        }
      >
        <Segments
          label={t('memory.type')}
          value={chosen}
          options={WRITABLE.map((value) => ({ value, label: t(`memory.types.${value}`) }))}
          onChange={setChosen}
        />
      </MemoryEditor>
      {add.isError && <ProblemNote problem={asProblem(add.error)} />}
    </>
  )
}
