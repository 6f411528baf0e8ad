import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useResource } from '../api/resource.ts'
import type { InboxItem, Repositories } from '../api/types.ts'
import { notify } from './notifications.tsx'

/** What needs a person, in every repository that the server shows. */
const inboxes = signal<Readonly<Record<string, readonly InboxItem[]>>>({})

/** How many entries need a person; of a repository that was not read yet, none. */
export function needsYou(repository: string): number {
  return inboxes.value[repository]?.length ?? 0
}

/** An entry as long as it says the same. */
export function keyOfEntry({ code, task, subject, detail }: InboxItem): string {
  return [code, task?.id, subject, detail].join(' ')
}

/** Follows the inboxes of all repositories, whichever is shown. */
export function FollowInboxes({ served }: { served: Repositories }) {
  return (
    <>
      {served.repositories.map((repository) => (
        <FollowInbox key={repository.id} repository={repository} />
      ))}
    </>
  )
}

function FollowInbox({ repository }: { repository: Repositories['repositories'][number] }) {
  const { value } = useResource<InboxItem[]>(repository.id, 'inbox').value
  const seen = useRef<Set<string> | null>(null)
  useEffect(() => {
    if (value === null) return
    inboxes.value = { ...inboxes.peek(), [repository.id]: value }
    // What was there before the page was opened is no news.
    if (seen.current !== null)
      for (const item of value) if (!seen.current.has(keyOfEntry(item))) notify(repository, item, keyOfEntry(item))
    seen.current = new Set(value.map(keyOfEntry))
  }, [value])
  return null
}
