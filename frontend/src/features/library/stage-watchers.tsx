import { useStageEvents } from '@/api/documents'

/** A browser opens six connections to one server at most; the others learn from the list. */
const AT_ONCE = 2

interface StageWatchersProps {
  ids: readonly string[]
}

export function StageWatchers({ ids }: StageWatchersProps) {
  return ids.slice(0, AT_ONCE).map((id) => <StageWatcher key={id} id={id} />)
}

function StageWatcher({ id }: { id: string }) {
  useStageEvents(id, true)
  return null
}
