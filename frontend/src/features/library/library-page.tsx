import { useQueryClient } from '@tanstack/react-query'
import { LayoutGrid, Plus, Rows3, Search } from 'lucide-react'
import { type DragEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHidden } from '@/api/deletions'
import { isFinal, useDocuments } from '@/api/documents'
import { keys } from '@/api/query-keys'
import { Button, IconButton } from '@/components/button'
import { Choice } from '@/components/choice'
import { ProblemNote, Waiting } from '@/components/states'
import { say } from '@/components/toasts'
import { asProblem } from '@/lib/problems'
import { formatBytes, formatCount } from '@/lib/sizes'
import { arrange, ORDERS, type Order, SHOWS, type Show } from './arrange'
import { DocumentGrid } from './document-grid'
import { DocumentTable } from './document-table'
import { droppedFiles } from './dropped-files'
import { FirstDocument } from './first-document'
import styles from './library-page.module.css'
import { StageWatchers } from './stage-watchers'
import { UploadList } from './upload-list'
import { addFiles, type UploadDone, useUploads } from './uploads'

const VIEW_KEY = 'docmind.library.view'

export function LibraryPage() {
  const { t, i18n } = useTranslation()
  const queries = useQueryClient()
  const list = useDocuments()
  const uploads = useUploads()
  const hidden = useHidden()
  const picker = useRef<HTMLInputElement>(null)
  const [q, setQ] = useState('')
  const [order, setOrder] = useState<Order>('newest')
  const [show, setShow] = useState<Show>('all')
  const [view, setView] = useState(() => localStorage.getItem(VIEW_KEY) ?? 'cards')
  const [over, setOver] = useState(false)

  const documents = list.data?.documents ?? []
  const shown = useMemo(() => arrange(documents, { q, order, show, hidden }), [documents, q, order, show, hidden])
  const working = documents.filter((document) => !isFinal(document))

  const onDone = useCallback(
    (done: UploadDone) => {
      void queries.invalidateQueries({ queryKey: keys.documents })
      if (done.duplicate) say(t('library.duplicate', { name: done.documentName }))
    },
    [queries, t],
  )
  const add = (files: readonly File[]) => files.length > 0 && addFiles(files, onDone)
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add(await droppedFiles(event.dataTransfer))
  }
  const choose = () => picker.current?.click()
  const chooseView = (next: string) => {
    localStorage.setItem(VIEW_KEY, next)
    setView(next)
  }

  const pages = documents.reduce((sum, document) => sum + document.page_count, 0)
  const bytes = documents.reduce((sum, document) => sum + document.size_bytes, 0)
  const empty = list.isSuccess && documents.length === 0 && uploads.length === 0

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra way; the button does the same
    <div
      className={styles.page}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDrop={drop}
    >
      <header className={styles.head}>
        <div>
          <h1>{t('nav.library')}</h1>
          {documents.length > 0 && (
            <p className={styles.facts}>
              {t('library.facts', {
                count: documents.length,
                pages: formatCount(pages, i18n.language),
                size: formatBytes(bytes, i18n.language),
              })}
            </p>
          )}
        </div>
        <input
          ref={picker}
          type="file"
          multiple
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t('library.add')}
          onChange={(event) => {
            add([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <Button kind="primary" icon={<Plus size={17} />} onClick={choose}>
          {t('library.add')}
        </Button>
      </header>

      {documents.length > 0 && (
        <div className={styles.tools} role="toolbar" aria-label={t('library.arrange')}>
          <label className={styles.search}>
            <Search size={16} aria-hidden="true" />
            <span className="visually-hidden">{t('library.filter')}</span>
            <input type="search" value={q} placeholder={t('library.filter')} onChange={(e) => setQ(e.target.value)} />
          </label>
          <Choice
            label={t('library.show')}
            value={show}
            options={SHOWS.map((value) => ({ value, label: t(`library.shows.${value}`) }))}
            onChange={setShow}
          />
          <Choice
            label={t('library.order')}
            value={order}
            options={ORDERS.map((value) => ({ value, label: t(`library.orders.${value}`) }))}
            onChange={setOrder}
          />
          <div className={styles.views}>
            <IconButton
              label={t('library.cards')}
              icon={<LayoutGrid size={17} />}
              pressed={view === 'cards'}
              onClick={() => chooseView('cards')}
            />
            <IconButton
              label={t('library.table')}
              icon={<Rows3 size={17} />}
              pressed={view === 'table'}
              onClick={() => chooseView('table')}
            />
          </div>
        </div>
      )}

      <UploadList uploads={uploads} onDone={onDone} />
      <StageWatchers ids={working.map((document) => document.id)} />
      {list.isPending && <Waiting />}
      {list.isError && <ProblemNote problem={asProblem(list.error)} onRetry={() => list.refetch()} />}
      {empty && <FirstDocument onChoose={choose} />}
      {documents.length > 0 && shown.length === 0 && <p className={styles.none}>{t('library.noMatch')}</p>}
      {shown.length > 0 &&
        (view === 'table' ? <DocumentTable documents={shown} /> : <DocumentGrid documents={shown} />)}
      {over && <div className={styles.veil}>{t('library.dropHere')}</div>}
    </div>
  )
}
