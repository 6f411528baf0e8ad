import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useResource } from '../api/resource.ts'
import type { Started } from '../api/types.ts'
import { route } from '../route.ts'
import { isAbout, StartedCommand } from './started-list.tsx'

/** What was started in this tab, wherever that was. */
const followed = signal<readonly { repository: string; id: string }[]>([])

export function followStarted(repository: string, id: string): void {
  followed.value = [...followed.value, { repository, id }]
}

/**
 * Shows in every view how that which was started goes on, until a person puts it away. What has ended well goes with the
 * next change of the view. The view of its task has it itself.
 */
export function StartedDock({ repository }: { repository: string }) {
  const ids = followed.value.filter((each) => each.repository === repository).map(({ id }) => id)
  return ids.length === 0 ? null : <Followed {...{ repository, ids }} />
}

function Followed({ repository, ids }: { repository: string; ids: readonly string[] }) {
  const { view, ref } = route.value
  const all = useResource<Started[]>(repository, 'started').value.value ?? []
  useEffect(() => {
    const isDone = (id: string) => all.some((each) => each.id === id && !each.isRunning && each.code === 0)
    followed.value = followed.value.filter(({ id }) => !isDone(id))
  }, [view, ref])
  const shown = all.filter((each) => ids.includes(each.id) && !(view === 'task' && ref !== null && isAbout(each, ref)))
  if (shown.length === 0) return null
  const putAway = (gone: string): void => {
    followed.value = followed.value.filter(({ id }) => id !== gone)
  }
  return (
    <section class="started started-dock" aria-label="Started in this tab">
      <ul>
        {shown.map((command) => (
          <StartedCommand key={command.id} command={command}>
            <button type="button" class="quiet" onClick={() => putAway(command.id)}>
              Put away
            </button>
          </StartedCommand>
        ))}
      </ul>
    </section>
  )
}
