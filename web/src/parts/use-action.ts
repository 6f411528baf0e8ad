import { useState } from 'preact/hooks'
import { readAgain } from '../api/changes.ts'
import { act, type Expected, Refused } from '../api/request.ts'
import type { Started } from '../api/types.ts'
import { lateRefusal } from './late-refusal.tsx'
import { followStarted } from './started-dock.tsx'

const CHANGED: ReadonlySet<string> = new Set(['TASK_CHANGED', 'CHANGED_SINCE', 'WORK_CHANGED'])

interface How {
  /** In a window over the page, where nothing below it can be seen: every refusal is shown there. */
  isInWindow?: boolean
}

/** Doing something: whether it is being done, why it was refused. It is shown as done once the server confirms it. */
export function useAction(repository: string, { isInWindow = false }: How = {}) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Refused | null>(null)
  const [isLate, setLate] = useState(false)
  /** What the use case returned; null: it was refused, and `error` says why. */
  const send = async <T>(name: string, input: object, expected?: Expected): Promise<{ value: T } | null> => {
    setBusy(true)
    setError(null)
    lateRefusal.value = null
    try {
      const answer = await act<{ value: T }>(repository, name, input, expected)
      if (name === 'start' && !isInWindow) followStarted(repository, (answer.value as Started).id)
      return answer
    } catch (thrown) {
      const refused = thrown instanceof Refused ? thrown : UNREACHABLE
      const isTooLate = CHANGED.has(refused.code)
      setLate(isTooLate)
      if (isTooLate && !isInWindow) lateRefusal.value = refused
      else setError(refused)
      // Somebody else was first: the newer state is shown beside the refusal.
      if (isTooLate) readAgain(repository)
      return null
    } finally {
      setBusy(false)
    }
  }
  const run = async (name: string, input: object, expected?: Expected): Promise<boolean> =>
    (await send(name, input, expected)) !== null
  return { run, send, isBusy, error, isLate }
}

const UNREACHABLE = new Refused({
  code: 'UNREACHABLE',
  message: 'The server cannot be reached',
  hint: 'Nothing was saved.',
})
