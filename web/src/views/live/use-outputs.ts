import { useEffect, useRef, useState } from 'preact/hooks'
import { get } from '../../api/request.ts'
import type { Output } from '../../api/types.ts'
import { joinOutput, type Kept, NOTHING } from './outputs.ts'

const EVERY_MS = 500

/**
 * What the agents of these runs have printed, and more as it comes. One request asks for all of them, and only for what
 * is new. What a run has printed stays when it is no longer asked for.
 */
export function useOutputs(repository: string, following: readonly string[]): ReadonlyMap<string, Kept> {
  const [kept, setKept] = useState<ReadonlyMap<string, Kept>>(new Map())
  const latest = useRef({ kept, following })
  latest.current = { kept, following }
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const read = async (): Promise<void> => {
      const { kept: known, following: wanted } = latest.current
      const runs = wanted.filter((run) => !known.get(run)?.isOver)
      if (runs.length > 0 && !document.hidden) {
        const found = await readOutputs(repository, runs, known)
        // A run that was paused meanwhile stays as it was. What came is read again later.
        const followed = found.filter(({ run }) => latest.current.following.includes(run))
        if (!isOver && followed.length > 0) setKept((now) => joined(now, followed))
      }
      if (!isOver) timer = setTimeout(read, EVERY_MS)
    }
    void read()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [repository])
  return kept
}

async function readOutputs(repository: string, runs: readonly string[], known: ReadonlyMap<string, Kept>) {
  const query = new URLSearchParams(
    runs.flatMap((run) => [
      ['run', run],
      ['after', known.get(run)?.next ?? ''],
    ]),
  )
  try {
    return (await get<{ value: Output[] }>(`r/${repository}/output?${query}`)).value
  } catch {
    // The server is away, which the frame says. It is read again.
    return []
  }
}

function joined(kept: ReadonlyMap<string, Kept>, found: readonly Output[]): ReadonlyMap<string, Kept> {
  const next = new Map(kept)
  for (const output of found) next.set(output.run, joinOutput(kept.get(output.run) ?? NOTHING, output))
  return [...next].some(([run, each]) => kept.get(run) !== each) ? next : kept
}
