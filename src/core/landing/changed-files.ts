/** The files of a diff, from what `git diff --raw --numstat -z` prints. */

export type FileChange = 'added' | 'removed' | 'changed' | 'renamed' | 'copied' | 'retyped'

export interface ChangedFile {
  path: string
  /** The name before, of a file that was renamed or copied; otherwise null. */
  old_path: string | null
  change: FileChange
  old_mode: string
  new_mode: string
  /** Null: it is binary. */
  added: number | null
  removed: number | null
}

const CHANGES: Record<string, FileChange> = { A: 'added', D: 'removed', R: 'renamed', C: 'copied', T: 'retyped' }

export function changedFiles(printed: string): ChangedFile[] {
  const words = printed.split('\0')
  const files = new Map<string, ChangedFile>()
  for (let at = 0; at < words.length; ) {
    const word = words[at++] as string
    const raw = /^:(\d{6}) (\d{6}) \S+ \S+ ([A-Z])\d*$/.exec(word)
    if (raw) {
      const [, old_mode = '', new_mode = '', letter = ''] = raw
      const first = words[at++] ?? ''
      const isPair = letter === 'R' || letter === 'C'
      const path = isPair ? (words[at++] ?? '') : first
      const change = CHANGES[letter] ?? 'changed'
      files.set(path, { path, old_path: isPair ? first : null, change, old_mode, new_mode, added: 0, removed: 0 })
      continue
    }
    const counts = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(word)
    if (!counts) continue
    const [, added, removed, named] = counts
    // Of a renamed file both names follow.
    if (named === '') at += 2
    const file = files.get(named === '' ? (words[at - 1] ?? '') : (named ?? ''))
    if (file) Object.assign(file, { added: countOf(added), removed: countOf(removed) })
  }
  return [...files.values()]
}

function countOf(word: string | undefined): number | null {
  return word === '-' ? null : Number(word)
}
