import { effect, type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { catchUps, changes } from './changes.ts'
import { get, Refused } from './request.ts'

/** Something that was read from the server, and how that went. What was read last stays while it is read again. */
export interface Read<T> {
  value: T | null
  error: Refused | null
  isReading: boolean
}

interface Answer<T> {
  value: T
  warnings: string[]
}

/** Reads a resource of a repository, and again whenever the repository changes. */
export function useResource<T>(repository: string, path: string | null): Signal<Read<T>> {
  const read = useMemo(
    () => signal<Read<T>>({ value: null, error: null, isReading: path !== null }),
    [repository, path],
  )
  useEffect(() => {
    if (path === null) return
    let isOver = false
    const reader = oneAtATime(async () => {
      try {
        const { value } = await get<Answer<T>>(`r/${repository}/${path}`)
        if (!isOver) read.value = { value, error: null, isReading: false }
      } catch (error) {
        const refused = error instanceof Refused ? error : null
        if (!isOver) read.value = { ...read.value, error: refused ?? unreachable(), isReading: false }
      }
    })
    const stop = effect(() => {
      void changes.value[repository]
      void catchUps.value
      reader()
    })
    return () => {
      isOver = true
      stop()
    }
  }, [repository, path, read])
  return read
}

/** Shown when everything else is there too, so that nothing that comes later moves what a person reads. */
export function whenRead<T>(read: Read<T>, ...others: readonly Read<unknown>[]): Read<T> {
  return others.some(({ isReading }) => isReading) ? { value: null, error: null, isReading: true } : read
}

/** Changes may come faster than they can be read: one reading follows the other, and the last one sees the last change. */
function oneAtATime(work: () => Promise<void>): () => void {
  let isBusy = false
  let again = false
  const run = async (): Promise<void> => {
    isBusy = true
    do {
      again = false
      await work()
    } while (again)
    isBusy = false
  }
  return () => {
    if (isBusy) again = true
    else void run()
  }
}

export function unreachable(): Refused {
  return new Refused({
    code: 'UNREACHABLE',
    message: 'The server cannot be reached',
    hint: 'Is gza web still running? What you see is what was last known.',
  })
}
