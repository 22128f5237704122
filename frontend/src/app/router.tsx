/** The places of the page. A shared place (document, page, quote, conversation) is in the URL and nowhere else. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Waiting } from '@/components/states'
import { LibraryPage } from '@/features/library'
import { readPage } from '@/lib/page-range'
import { NotFound } from './not-found'
import { Shell } from './shell'

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/library' })
  },
})

const libraryRoute = createRoute({ getParentRoute: () => rootRoute, path: '/library', component: LibraryPage })

export interface ReadSearch {
  page?: number | undefined
  quote?: string | undefined
  chat?: string | undefined
}

const readRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/read/$documentId',
  validateSearch: (search: Record<string, unknown>): ReadSearch => ({
    page: readPage(search.page),
    quote: text(search.quote),
    chat: text(search.chat),
  }),
  component: lazyRouteComponent(() => import('./read-route'), 'ReadRoute'),
})

export interface ChatSearch {
  doc?: string | undefined
  page?: number | undefined
  quote?: string | undefined
  /** Documents a new conversation starts with, joined by commas. */
  scope?: string | undefined
  /** A question to begin with. */
  ask?: string | undefined
}

const chatSearch = (search: Record<string, unknown>): ChatSearch => ({
  doc: text(search.doc),
  page: readPage(search.page),
  quote: text(search.quote),
  scope: text(search.scope),
  ask: text(search.ask),
})

const newChatRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/chats',
  validateSearch: chatSearch,
  component: lazyRouteComponent(() => import('./chat-route'), 'NewChatRoute'),
})

const chatRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/chats/$chatId',
  validateSearch: chatSearch,
  component: lazyRouteComponent(() => import('./chat-route'), 'ChatRoute'),
})

const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: (search: Record<string, unknown>): { q?: string | undefined; doc?: string | undefined } => ({
    q: text(search.q),
    doc: text(search.doc),
  }),
  component: lazyRouteComponent(() => import('./search-route'), 'SearchRoute'),
})

const memoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/memory',
  component: lazyRouteComponent(() => import('@/features/memory'), 'MemoryPage'),
})

const scanRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scan',
  component: lazyRouteComponent(() => import('@/features/ocr'), 'ScanScreen'),
})

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('@/features/settings'), 'SettingsPage'),
})

/** Plain name=value pairs: an address that people can read and write. */
function readSearch(search: string): Record<string, unknown> {
  return Object.fromEntries(new URLSearchParams(search))
}

function writeSearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value !== undefined) params.set(name, String(value))
  const written = params.toString()
  return written ? `?${written}` : ''
}

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    indexRoute,
    libraryRoute,
    readRoute,
    newChatRoute,
    chatRoute,
    searchRoute,
    memoryRoute,
    scanRoute,
    settingsRoute,
  ]),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Waiting />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
