import { useEffect, useMemo, useState } from 'preact/hooks'
import { get, Refused } from '../../api/request.ts'
import type { DiffedFile, FileDiff, TaskDiff } from '../../api/types.ts'
import { type DiffLine, parseDiff } from './parse-diff.ts'

interface FileLines {
  /** Null: they are being read. */
  lines: readonly DiffLine[] | null
  isCut: boolean
  error: Refused | null
}

interface Asked {
  repository: string
  diff: Pick<TaskDiff, 'number' | 'from' | 'to'>
  file: DiffedFile
  isOpen: boolean
}

/** The lines of a file. Those of a long one are read when it is opened. */
export function useFileLines({ repository, diff, file, isOpen }: Asked): FileLines {
  const [loaded, setLoaded] = useState<FileDiff | null>(null)
  const [error, setError] = useState<Refused | null>(null)
  const isNeeded = isOpen && file.text === null
  useEffect(() => {
    if (!isNeeded) return
    let isOver = false
    setLoaded(null)
    setError(null)
    const path = `r/${repository}/tasks/${diff.number}/diff/file?path=${encodeURIComponent(file.path)}`
    get<{ value: FileDiff }>(path)
      .then(({ value }) => isOver || setLoaded(value))
      .catch((thrown) => isOver || setError(thrown instanceof Refused ? thrown : unreachable()))
    return () => {
      isOver = true
    }
  }, [isNeeded, repository, diff.number, diff.from, diff.to, file.path])
  const text = file.text ?? loaded?.text ?? null
  const lines = useMemo(() => (text === null ? null : parseDiff(text)), [text])
  return { lines, isCut: loaded?.isCut ?? false, error }
}

function unreachable(): Refused {
  return new Refused({ code: 'UNREACHABLE', message: 'The server cannot be reached', hint: 'Open the file again.' })
}
