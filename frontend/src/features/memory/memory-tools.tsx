import { Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDeleteMemories, useImportMemories } from '@/api/memories'
import type { MemoryCount, MemoryType } from '@/api/types'
import { Button } from '@/components/button'
import { DialogFrame } from '@/components/dialog-frame'
import { Menu } from '@/components/menu'
import { say } from '@/components/toasts'

interface MemoryToolsProps {
  type: MemoryType | null
  counts: readonly MemoryCount[]
}

/** Export, import, and deleting much at once. */
export function MemoryTools({ type, counts }: MemoryToolsProps) {
  const { t } = useTranslation()
  const bring = useImportMemories()
  const remove = useDeleteMemories()
  const picker = useRef<HTMLInputElement>(null)
  const [asking, setAsking] = useState<{ type: MemoryType | null } | null>(null)
  const countOf = (wanted: MemoryType | null) =>
    counts.filter((count) => wanted === null || count.type === wanted).reduce((sum, c) => sum + c.items + c.history, 0)
  const read = (file: File | undefined) => {
    if (!file) return
    bring.mutate(file, {
      onSuccess: ({ count }) => say(t('memory.imported', { count })),
      onError: () => say(t('memory.importFailed', { name: file.name })),
    })
  }
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept="application/json,.json"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t('memory.import')}
        onChange={(event) => {
          read(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <Menu label={t('memory.menu')} icon={<Ellipsis size={17} />}>
        <Menu.Link>
          <a href="/api/memories/export" download="docmind-memory.json">
            {t('memory.export')}
          </a>
        </Menu.Link>
        <Menu.Item onSelect={() => picker.current?.click()}>{t('memory.import')}</Menu.Item>
        {type && countOf(type) > 0 && (
          <Menu.Item danger onSelect={() => setAsking({ type })}>
            {t('memory.deleteType', { type: t(`memory.types.${type}`) })}
          </Menu.Item>
        )}
        <Menu.Item danger onSelect={() => setAsking({ type: null })}>
          {t('memory.deleteAll')}
        </Menu.Item>
      </Menu>
      {asking && (
        <DialogFrame
          title={
            asking.type ? t('memory.deleteType', { type: t(`memory.types.${asking.type}`) }) : t('memory.deleteAll')
          }
          description={t('memory.deleteWarning', { count: countOf(asking.type) })}
          onClose={() => setAsking(null)}
        >
          <DialogFrame.Acts>
            <Button onClick={() => setAsking(null)}>{t('act.cancel')}</Button>
            <Button
              kind="danger"
              onClick={() => {
                remove.mutate(asking.type, {
                  onSuccess: ({ count }) => say(t('memory.deletedMany', { count })),
                  onError: () => say(t('memory.deleteFailed')),
                })
                setAsking(null)
              }}
            >
              {t('act.delete')}
            </Button>
          </DialogFrame.Acts>
        </DialogFrame>
      )}
    </>
  )
}
