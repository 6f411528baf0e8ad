import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { followChanges } from './api/changes.ts'
import { takePreferences } from './api/preferences.ts'
import { get, Refused } from './api/request.ts'
import { unreachable } from './api/resource.ts'
import { signedIn, signIn } from './api/session.ts'
import type { Repositories } from './api/types.ts'
import { Frame } from './frame/frame.tsx'
import { NotSignedIn } from './frame/not-signed-in.tsx'
import { Empty, Loading, Problem } from './parts/states.tsx'
import { go, pathTo, route } from './route.ts'
import { CurrentView } from './views/current-view.tsx'

const served = signal<Repositories | Refused | null>(null)

export function App() {
  useEffect(() => {
    void start()
  }, [])
  if (signedIn.value === 'no') return <NotSignedIn />
  if (served.value === null) return <Loading />
  if (served.value instanceof Refused) return <Problem error={served.value} />
  const { repositories } = served.value
  const named = repositories.find(({ id }) => id === route.value.repository)
  const repository = named ?? repositories[0]
  if (repository === undefined) return null
  return (
    <Frame served={served.value} repository={repository}>
      {named === undefined && route.value.repository !== null ? (
        <Empty title="This server does not show that repository" />
      ) : (
        <Guarded key={`${repository.id} ${route.value.view} ${route.value.ref}`}>
          <CurrentView repository={repository} served={served.value} />
        </Guarded>
      )}
    </Frame>
  )
}

/** A view that cannot be drawn says so, and the others can still be chosen. */
function Guarded({ children }: { children: ComponentChildren }) {
  const [error, again] = useErrorBoundary()
  if (error === undefined) return <>{children}</>
  return (
    <>
      <Problem error={{ message: `This view cannot be shown: ${String(error)}`, hint: 'This is a bug in gza.' }} />
      <button type="button" onClick={again}>
        Try again
      </button>
    </>
  )
}

async function start(): Promise<void> {
  await signIn()
  if (signedIn.value !== 'yes') return
  try {
    // First: a change between the reading of a view and the connection would be missed.
    const [found] = await Promise.all([get<Repositories>('repositories'), followChanges()])
    takePreferences(found.preferences)
    // Before anything is shown: a person who has chosen a view already stays there.
    if (route.value.view === null) await openFirstView(found)
    served.value = found
  } catch (error) {
    served.value = error instanceof Refused ? error : unreachable()
  }
}

/** What needs a person comes first, when there is something, in whichever repository it is. */
async function openFirstView({ repositories }: Repositories): Promise<void> {
  const wanted = repositories.filter(({ id }) => [null, id].includes(route.value.repository))
  const [first] = wanted
  if (first === undefined) return
  const waiting = await Promise.all(wanted.map(({ id }) => needsSomebody(id)))
  const found = wanted[waiting.indexOf(true)]
  // A person may have chosen a view meanwhile.
  if (route.value.view !== null) return
  go(found === undefined ? pathTo(first.id, 'board') : pathTo(found.id, 'inbox'), { replace: true })
}

/** An inbox that cannot be read is shown with its error when it is opened. */
async function needsSomebody(repository: string): Promise<boolean> {
  const answer = await get<{ value: unknown[] }>(`r/${repository}/inbox`).catch(() => null)
  return answer !== null && answer.value.length > 0
}
