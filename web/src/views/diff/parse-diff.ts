export interface DiffLine {
  kind: 'hunk' | 'same' | 'added' | 'removed' | 'note'
  text: string
  before: number | null
  after: number | null
  /** Of a changed line, the part that differs from the line that it replaces or that replaces it. */
  changed?: [start: number, end: number]
}

/** The lines of one file's diff as git prints it. What its header says is known otherwise. */
export function parseDiff(text: string): DiffLine[] {
  const lines: DiffLine[] = []
  let [before, after] = [0, 0]
  let isInside = false
  for (const row of text.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(row)
    if (hunk) {
      isInside = true
      before = Number(hunk[1])
      after = Number(hunk[2])
      lines.push({ kind: 'hunk', text: row, before: null, after: null })
    } else if (row.startsWith('diff --git ')) isInside = false
    else if (!isInside) {
      if (/^Binary files |^Submodule /.test(row)) lines.push(note(row))
    } else if (row.startsWith('+')) lines.push({ kind: 'added', text: row.slice(1), before: null, after: after++ })
    else if (row.startsWith('-')) lines.push({ kind: 'removed', text: row.slice(1), before: before++, after: null })
    else if (row.startsWith('\\')) lines.push(note(row.slice(2)))
    else lines.push({ kind: 'same', text: row.slice(1), before: before++, after: after++ })
  }
  withoutReturns(lines)
  markChanges(lines)
  return lines
}

function note(text: string): DiffLine {
  return { kind: 'note', text, before: null, after: null }
}

/** In a file whose lines all end with a carriage return, it says nothing. */
function withoutReturns(lines: readonly DiffLine[]): void {
  const own = lines.filter(({ kind }) => kind !== 'hunk' && kind !== 'note')
  if (own.length > 0 && own.every(({ text }) => text.endsWith('\r')))
    for (const line of own) line.text = line.text.slice(0, -1)
}

/** Where as many lines were added as removed, each pair is taken for one changed line. */
function markChanges(lines: readonly DiffLine[]): void {
  for (let at = 0; at < lines.length; ) {
    const removed = countFrom(lines, at, 'removed')
    const added = countFrom(lines, at + removed, 'added')
    if (removed > 0 && removed === added)
      for (let i = at; i < at + removed; i++) markPair(lines[i] as DiffLine, lines[i + removed] as DiffLine)
    at += Math.max(1, removed + added)
  }
}

function countFrom(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let at = from
  while (lines[at]?.kind === kind) at++
  return at - from
}

/** Lines that have little in common were not changed but replaced. */
const LEAST_ALIKE = 0.3

function markPair(before: DiffLine, after: DiffLine): void {
  const [a, b] = [before.text, after.text]
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let end = 0
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  if (start + end < LEAST_ALIKE * Math.max(a.length, b.length)) return
  if (a.length - end > start) before.changed = [start, a.length - end]
  if (b.length - end > start) after.changed = [start, b.length - end]
}
