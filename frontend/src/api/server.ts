/** The server itself: whether it is well, what model it has, and what is set by what. */
import { useQuery } from '@tanstack/react-query'
import { call } from './client'
import { keys } from './query-keys'
import type { ModelsOut, SettingsOut } from './schema.gen'
import type { Health } from './types'

export function useHealth() {
  return useQuery({
    queryKey: keys.health,
    queryFn: ({ signal }) => call<Health>('/api/health', { signal }),
    staleTime: 30_000,
  })
}

/** The models that can be chosen. Asks the model's provider, so only when somebody looks. */
export function useModels(enabled = true) {
  return useQuery({
    queryKey: keys.models,
    queryFn: ({ signal }) => call<ModelsOut>('/api/models', { signal }),
    staleTime: 60_000,
    enabled,
  })
}

export function useServerSettings() {
  return useQuery({
    queryKey: keys.settings,
    queryFn: async ({ signal }) => (await call<SettingsOut>('/api/settings', { signal })).settings,
  })
}
