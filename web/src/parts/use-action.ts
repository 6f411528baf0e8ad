import { useState } from 'preact/hooks'
import { readAgain } from '../api/changes.ts'
import { act, type Expected, Refused } from '../api/request.ts'

/** Doing something: whether it is being done, and why it was refused. Nothing is shown as done before the server says so. */
export function useAction(repository: string) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Refused | null>(null)
  /** What the use case returned; null: it was refused, and `error` says why. */
  const send = async <T>(name: string, input: object, expected?: Expected): Promise<{ value: T } | null> => {
    setBusy(true)
    setError(null)
    try {
      return await act<{ value: T }>(repository, name, input, expected)
    } catch (thrown) {
      // Somebody else was first: the newer state is shown beside the refusal.
      if (thrown instanceof Refused && thrown.code === 'TASK_CHANGED') readAgain(repository)
      setError(
        thrown instanceof Refused
          ? thrown
          : new Refused({ code: 'UNREACHABLE', message: 'The server cannot be reached', hint: 'Nothing was saved.' }),
      )
      return null
    } finally {
      setBusy(false)
    }
  }
  const run = async (name: string, input: object, expected?: Expected): Promise<boolean> =>
    (await send(name, input, expected)) !== null
  return { run, send, isBusy, error }
}
