import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { copyLedger, type Ledger } from './ledgers.ts'
import { peakMemory } from './peak-memory.ts'
import type { Place } from './place.ts'
import { type Probe, runQuietly, timeInTurns, timeOnce } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { megabytes, times } from './table.ts'

/** With the texts up to date, a search may take twice as long as `ready` on the same ledger. */
const MOST = 2

const SEARCHES: Record<string, (tasks: number) => string> = {
  'a word of one task': (tasks) => `${tasks - 7}`,
  'a word of one artifact': (tasks) => `plan${tasks - 7}`,
  'two words': () => 'module walrus',
  'a word of all tasks': () => 'protocol',
}

/** Searches in a ledger with an artifact for each task; what the texts take to be read, and on disk. */
export function measureSearch(place: Place, ledger: Ledger, rounds: number, fewRounds: number): Row[] {
  const { tasks, dir } = withArtifacts(place, copyLedger(place, ledger, `searched-${ledger.tasks}`))
  const call = (...args: string[]): Probe => ({ argv: [place.gza, ...args], cwd: dir, env: place.env })
  const store = join(dir, '.git/gza/search.db')
  const [name = '', word] = Object.entries(SEARCHES)[0] ?? []
  const search = call('search', word?.(tasks) ?? '')
  runQuietly(search)
  const { size } = statSync(store)
  const built = Array.from({ length: Math.min(fewRounds, 3) }, () => timeAnew(store, search))
  rmSync(store)
  const memory = peakMemory(search)
  const probes = Object.fromEntries(Object.entries(SEARCHES).map(([what, of]) => [what, call('search', of(tasks))]))
  const took = timeInTurns({ ready: call('ready'), ...probes } as Record<string, Probe>, rounds)
  const ready = summarize(took.ready ?? []).median
  const rows = Object.keys(SEARCHES).map((what) => {
    const ratio = summarize(took[what] ?? []).median / ready
    const judged = { ratio: `${times(ratio)} ready`, target: `≤ ${MOST} × ready`, reached: ratio <= MOST }
    return { what: `gza search, ${what}`, tasks, ...measured(took[what] ?? []), ...judged }
  })
  const info = { tasks, spread: '', n: 1, ...NO_TARGET }
  rmSync(dir, { recursive: true })
  return [
    { what: 'gza ready, beside it', tasks, ...measured(took.ready ?? []), ...NO_TARGET },
    ...rows,
    { what: `gza search, ${name}, no texts yet`, tasks, ...measured(built), ...NO_TARGET },
    { what: 'the texts to search in', value: `${megabytes(size)} on disk`, ...info },
    { what: 'peak memory of gza search, no texts yet', value: megabytes(memory), ...info },
  ]
}

function timeAnew(store: string, search: Probe): number {
  for (const suffix of ['', '-wal', '-shm']) rmSync(store + suffix, { force: true })
  return timeOnce(search)
}

/** A plan of about two kilobytes for each task. No command attaches 100,000 of them, so git writes them in one commit. */
function withArtifacts(place: Place, ledger: Ledger): Ledger {
  const probe = { cwd: ledger.dir, env: place.env }
  const answer = runQuietly({ argv: [place.gza, 'query', 'SELECT uid FROM tasks', '--json'], ...probe })
  const uids = (JSON.parse(answer) as { uid: string }[]).map(({ uid }) => uid)
  const files = uids.map((uid, index) => {
    const text = planOf(index + 1)
    return `M 100644 inline artifacts/${uid}/plan-1.md\ndata ${Buffer.byteLength(text)}\n${text}\n`
  })
  const head = 'commit refs/tasks/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 5\nplans'
  const input = `${head}\nfrom refs/tasks/main^0\n${files.join('')}`
  runQuietly({ argv: ['git', 'fast-import', '--quiet'], ...probe }, input)
  return ledger
}

const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ren',
  'to',
  'vas',
  'pel',
  'dor',
  'sin',
  'gu',
  'bar',
  'che',
  'fol',
  'nex',
  'qui',
  'zu',
]

/** Words of which some are common and most are rare, as in any text. The same for the same number. */
function planOf(number: number): string {
  let seed = number
  const next = (most: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) ** 3 * most)
  }
  const wordOf = (at: number) => [at, at >> 4, at >> 8].map((digit) => SYLLABLES[digit % 16]).join('')
  const lines = Array.from({ length: 30 }, () => Array.from({ length: 10 }, () => wordOf(next(4096))).join(' '))
  const rare = number % 5000 === 0 ? 'walrus' : 'heron'
  return `# plan${number}\n\nThe module follows the protocol of the ${rare}.\n\n${lines.join('\n')}\n`
}
