/** The server itself: whether it is well, what model it has, and what is set by what. */
import { useQuery } from '@tanstack/react-query'
import { call } from './client'
import { keys } from './query-keys'
import type { SettingsOut } from './schema.gen'
import type { Health } from './types'

export function useHealth() {
  return useQuery({
    queryKey: keys.health,
    queryFn: ({ signal }) => call<Health>('/api/health', { signal }),
    staleTime: 30_000,
  })
}

export function useServerSettings() {
  return useQuery({
    queryKey: keys.settings,
    queryFn: async ({ signal }) => (await call<SettingsOut>('/api/settings', { signal })).settings,
  })
}
