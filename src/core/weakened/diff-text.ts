/** A diff without context lines (`git diff --unified=0 --find-renames`), file by file. */
export interface DiffLine {
  /** The number in the file before the change for a removed line, after it for an added one. */
  line: number
  text: string
}

/** Lines that one place of the file lost and got. */
export interface DiffHunk {
  removed: readonly DiffLine[]
  added: readonly DiffLine[]
}

export interface FileDiff {
  path: string
  /** The name before, of a renamed file; otherwise null. */
  oldPath: string | null
  change: 'added' | 'removed' | 'changed'
  hunks: readonly DiffHunk[]
}

export function readDiff(text: string): FileDiff[] {
  // A line of a file begins with + or - here, so only headers begin like this.
  return text
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .flatMap((part) => readFile(part) ?? [])
}

function readFile(part: string): FileDiff | null {
  const rows = part.split('\n')
  const first = rows.findIndex((row) => row.startsWith('@@ '))
  const header = first === -1 ? rows : rows.slice(0, first)
  const paths = pathsOf(header)
  if (paths === null) return null
  const has = (start: string) => header.some((row) => row.startsWith(start))
  const change = has('new file mode') ? 'added' : has('deleted file mode') ? 'removed' : 'changed'
  return { ...paths, change, hunks: first === -1 ? [] : readHunks(rows.slice(first)) }
}

function readHunks(rows: readonly string[]): DiffHunk[] {
  const hunks: { removed: DiffLine[]; added: DiffLine[] }[] = []
  let [before, after] = [0, 0]
  for (const row of rows) {
    const start = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(row)
    if (start) {
      ;[before, after] = [Number(start[1]), Number(start[2])]
      hunks.push({ removed: [], added: [] })
    } else if (row.startsWith('-')) hunks.at(-1)?.removed.push({ line: before++, text: readable(row) })
    else if (row.startsWith('+')) hunks.at(-1)?.added.push({ line: after++, text: readable(row) })
  }
  return hunks
}

/**
 * The line without its sign, its indentation as it is. Patterns run over it, and an agent may have written it: so it has
 * no run of blanks that two parts of a pattern could share, and a length that no pattern takes long for.
 */
function readable(row: string): string {
  const [indentation = ''] = /^[ \t]{0,100}/.exec(row.slice(1, 101)) ?? []
  return (
    indentation +
    row
      .slice(1 + indentation.length, LONGEST_ROW)
      .trimStart()
      .replace(/\s+/g, ' ')
      .slice(0, LONGEST)
  )
}

const LONGEST = 400
/** With its blanks. */
const LONGEST_ROW = 10_000

function pathsOf(header: readonly string[]): Pick<FileDiff, 'path' | 'oldPath'> | null {
  const named = (start: string) => {
    const row = header.find((each) => each.startsWith(start))
    return row === undefined ? null : unquoted(row.slice(start.length).replace(/\t$/, ''))
  }
  const oldPath = named('rename from ')
  const path =
    named('rename to ') ?? without(named('+++ '), 'b/') ?? without(named('--- '), 'a/') ?? nameTwice(header[0])
  return path === null ? null : { path, oldPath }
}

function without(path: string | null, prefix: string): string | null {
  return path === null || path === '/dev/null' ? null : path.slice(prefix.length)
}

/** Of a file without any changed line, such as an empty one, only the first row has the name, twice. */
function nameTwice(row = ''): string | null {
  const both = row.slice('diff --git '.length)
  const half = (both.length - 1) / 2
  const [a, b] = [unquoted(both.slice(0, half)), unquoted(both.slice(half + 1))]
  return a.slice(2) === b.slice(2) ? b.slice(2) : null
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }

/** Git puts names with unusual characters into quotes. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name
  const bytes: number[] = []
  for (const [, octal, letter, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else bytes.push(...new TextEncoder().encode(plain ?? ESCAPES[letter as string] ?? letter))
  }
  return new TextDecoder().decode(new Uint8Array(bytes))
}
