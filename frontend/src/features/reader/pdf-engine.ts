/**
 * pdf.js and its own viewer, wired for this page. Loaded when a PDF is first shown; knows nothing of React.
 *
 * pdf.js is told to evaluate no code (CVE-2024-4367) and to fetch only the parts of the file it shows.
 */
import * as pdfjs from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import 'pdfjs-dist/web/pdf_viewer.css'
import type { Box } from '@/api/types'

// The viewer reads globalThis.pdfjsLib while it is loaded, so it has to come second.
const viewerParts = import('pdfjs-dist/web/pdf_viewer.mjs')

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl
const parts = (name: string) => new URL(`/pdfjs/${name}/`, location.href).href
const MAX_CANVAS_PIXELS = 2 ** 24
const FIND_FOUND_CLASS = 'pdf-mark'

export interface Target {
  page: number
  boxes: readonly Box[]
}

export interface PdfEvents {
  onReady: (pageCount: number, labels: readonly string[] | null) => void
  onPage: (page: number) => void
  onFound: (found: { current: number; total: number }) => void
  onScale: (scale: number) => void
}

export type Fit = 'page-width' | 'page-fit' | number

export interface PdfView {
  /** Marks the boxes; moves there when told to. */
  show: (target: Target, move: boolean) => void
  goTo: (page: number) => void
  zoom: (step: 1 | -1) => void
  fit: (fit: Fit) => void
  find: (query: string, direction?: 'next' | 'previous') => void
  close: () => void
}

export async function openPdf(url: string, container: HTMLDivElement, events: PdfEvents): Promise<PdfView> {
  const { EventBus, PDFFindController, PDFLinkService, PDFViewer, LinkTarget } = await viewerParts
  const task = pdfjs.getDocument({
    url,
    isEvalSupported: false,
    enableXfa: false,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: parts('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: parts('standard_fonts'),
    wasmUrl: parts('wasm'),
    iccUrl: parts('iccs'),
  })
  const file = await task.promise
  const fetched = pagesUnderWay(file)

  const eventBus = new EventBus()
  const linkService = new PDFLinkService({
    eventBus,
    externalLinkTarget: LinkTarget.BLANK,
    externalLinkRel: 'noopener noreferrer nofollow',
  })
  const findController = new PDFFindController({ eventBus, linkService, updateMatchesCountOnProgress: true })
  const viewer = new PDFViewer({
    container,
    eventBus,
    linkService,
    findController,
    textLayerMode: 1,
    // Links work; forms, scripts and editors are not what a reader is for.
    annotationMode: pdfjs.AnnotationMode.ENABLE,
    annotationEditorMode: pdfjs.AnnotationEditorType.DISABLE,
    maxCanvasPixels: MAX_CANVAS_PIXELS,
    // Links made out of plain text: not the author's, and their injection fails when a page is drawn again meanwhile.
    enableAutoLinking: false,
  })
  linkService.setViewer(viewer)

  let marked: Target | null = null
  let pending: (() => void) | null = null
  let ready = false
  /** While a mark that was gone to is in sight, its page is the page being read, whichever fills more of the screen. */
  let held = false
  let told = 0

  const draw = () => {
    for (const old of container.querySelectorAll(`.${FIND_FOUND_CLASS}`)) old.remove()
    if (!marked || marked.boxes.length === 0) return
    const view = viewer.getPageView(marked.page - 1) as PageView | undefined
    if (view?.div) drawBoxes(view, marked.boxes)
  }
  const scrollTo = (target: Target) => {
    const view = viewer.getPageView(target.page - 1) as PageView | undefined
    if (!view?.div) return
    const top = target.boxes.length > 0 ? Math.min(...target.boxes.map((box) => box.top)) : 0
    const offset = (top / heightOf(view)) * view.div.clientHeight
    const margin = target.boxes.length > 0 ? container.clientHeight * 0.28 : 8
    container.scrollTop = view.div.offsetTop + offset - margin
    if (target.boxes.length > 0) scrollSideways(container, view, target.boxes)
  }

  eventBus.on('pagesinit', () => {
    viewer.currentScaleValue = 'auto'
    ready = true
    events.onReady(file.numPages, labels)
    pending?.()
    pending = null
  })
  const tellPage = () => {
    if (!ready) return
    held =
      held && marked !== null && isInSight(container, viewer.getPageView(marked.page - 1) as PageView, marked.boxes)
    const page = held && marked ? marked.page : viewer.currentPageNumber
    if (page === told) return
    told = page
    events.onPage(page)
  }
  eventBus.on('pagechanging', tellPage)
  eventBus.on('updateviewarea', tellPage)
  eventBus.on('pagerendered', ({ pageNumber }: { pageNumber: number }) => pageNumber === marked?.page && draw())
  eventBus.on('scalechanging', ({ scale }: { scale: number }) => events.onScale(scale))
  const tellFound = ({ matchesCount }: { matchesCount: { current: number; total: number } }) =>
    events.onFound(matchesCount)
  eventBus.on('updatefindmatchescount', tellFound)
  eventBus.on('updatefindcontrolstate', tellFound)

  const labels = await file.getPageLabels()
  viewer.setDocument(file)
  linkService.setDocument(file)

  const observer = new ResizeObserver(() => {
    if (!ready) return
    const value = viewer.currentScaleValue
    if (Number.isNaN(Number(value))) viewer.currentScaleValue = value
    viewer.update()
  })
  observer.observe(container)

  const whenReady = (act: () => void) => {
    if (ready) act()
    else pending = act
  }
  return {
    show: (target, move) => {
      marked = target
      whenReady(() => {
        held = target.boxes.length > 0
        if (move) scrollTo(target)
        draw()
        tellPage()
      })
    },
    goTo: (page) =>
      whenReady(() => {
        held = false
        scrollTo({ page, boxes: [] })
      }),
    zoom: (step) => (step > 0 ? viewer.increaseScale() : viewer.decreaseScale()),
    fit: (fit) => {
      viewer.currentScaleValue = String(fit)
    },
    find: (query, direction) =>
      eventBus.dispatch('find', {
        source: null,
        type: direction ? 'again' : '',
        query,
        findPrevious: direction === 'previous',
        highlightAll: true,
        caseSensitive: false,
        entireWord: false,
        matchDiacritics: false,
      }),
    close: () => {
      observer.disconnect()
      drawNothingMore(viewer)
      viewer.cleanup()
      viewer.setDocument(null as never)
      // The viewer complains about pages whose file is taken away while it waits for them.
      void fetched().then(() => task.destroy())
    },
  }
}

/** Lets one wait for the pages that were asked for and have not come. */
function pagesUnderWay(file: pdfjs.PDFDocumentProxy): () => Promise<unknown> {
  const asked = new Set<Promise<unknown>>()
  const getPage = file.getPage.bind(file)
  file.getPage = (number) => {
    const page = getPage(number)
    asked.add(page)
    const come = () => asked.delete(page)
    page.then(come, come)
    return page
  }
  return () => Promise.allSettled(asked)
}

/** A page that comes after the viewer was closed would still be drawn, and fail half way. */
function drawNothingMore(viewer: object): void {
  const { renderingQueue } = viewer as { renderingQueue?: { renderView: () => boolean } }
  if (renderingQueue) renderingQueue.renderView = () => true
}

/** The part of pdf.js's page view that is used here; its own types leave the div out. */
interface PageView {
  div: HTMLDivElement
  viewport: { width: number; height: number; scale: number }
}

const widthOf = (view: PageView) => view.viewport.width / view.viewport.scale
const heightOf = (view: PageView) => view.viewport.height / view.viewport.scale

function isInSight(container: HTMLDivElement, view: PageView | undefined, boxes: readonly Box[]): boolean {
  if (!view?.div || boxes.length === 0) return false
  const place = (points: number) => view.div.offsetTop + (points / heightOf(view)) * view.div.clientHeight
  const top = place(Math.min(...boxes.map((box) => box.top)))
  const bottom = place(Math.max(...boxes.map((box) => box.bottom)))
  return bottom > container.scrollTop && top < container.scrollTop + container.clientHeight
}

function drawBoxes(view: PageView, boxes: readonly Box[]): void {
  const [width, height] = [widthOf(view), heightOf(view)]
  for (const box of boxes) {
    const mark = document.createElement('div')
    mark.className = FIND_FOUND_CLASS
    mark.style.left = `${(box.left / width) * 100}%`
    mark.style.top = `${(box.top / height) * 100}%`
    mark.style.width = `${((box.right - box.left) / width) * 100}%`
    mark.style.height = `${((box.bottom - box.top) / height) * 100}%`
    view.div.append(mark)
  }
}

function scrollSideways(container: HTMLDivElement, view: PageView, boxes: readonly Box[]): void {
  if (view.div.clientWidth <= container.clientWidth) return
  const left = (Math.min(...boxes.map((box) => box.left)) / widthOf(view)) * view.div.clientWidth
  container.scrollLeft = view.div.offsetLeft + left - container.clientWidth * 0.1
}
