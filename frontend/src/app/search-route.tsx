import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { SearchPage } from '@/features/search'

const route = getRouteApi('/search')

export function SearchRoute() {
  const { q, doc } = route.useSearch()
  const navigate = useNavigate()
  const onPlace = useCallback(
    (place: { q: string; doc: string }) =>
      void navigate({
        to: '/search',
        search: { q: place.q || undefined, doc: place.doc || undefined },
        replace: true,
      }),
    [navigate],
  )
  return <SearchPage q={q ?? ''} doc={doc ?? ''} onPlace={onPlace} />
}
