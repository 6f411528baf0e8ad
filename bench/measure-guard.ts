import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRepo, type Place } from './place.ts'
import { type Probe, runQuietly, timeInTurns } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { count, times } from './table.ts'

const FILES = 150
const FEW = { branches: 10, tags: 10 }
const MANY = { branches: 1000, tags: 4000 }
const MOST_GROWTH = 1.5

interface Refs {
  branches: number
  tags: number
}

/** What the guard does before and after an agent, with a few and with many refs, beside a worktree and a commit of git. */
export function measureGuard(place: Place, rounds: number): Row[] {
  const [few, many] = [makeProbes(place, 'few-refs', FEW), makeProbes(place, 'many-refs', MANY)]
  const found = timeInTurns({ few: few.guard, fewBare: few.bare, many: many.guard, manyBare: many.bare }, rounds)
  const growth = summarize(found.many).median / summarize(found.few).median
  const row = (refs: Refs, values: number[], bare: number[], probe: Probe): Row => {
    const ratio = summarize(values).median / summarize(bare).median
    const what = `the guard of an agent, ${count(refs.branches + refs.tags)} refs`
    const calls = `${times(ratio)} bare, ${countGit(place, probe)} git processes`
    return { what, tasks: null, ...measured(values), ...NO_TARGET, ratio: calls }
  }
  return [
    row(FEW, found.few, found.fewBare, few.guard),
    {
      ...row(MANY, found.many, found.manyBare, many.guard),
      target: `≤ ${MOST_GROWTH} × few refs`,
      reached: growth <= MOST_GROWTH,
    },
  ]
}

function makeProbes(place: Place, name: string, refs: Refs): { guard: Probe; bare: Probe } {
  const cwd = makeRepo(place, name)
  const git = (args: string[], input?: string) => runQuietly({ argv: ['git', ...args], cwd, env: place.env }, input)
  mkdirSync(join(cwd, 'src'))
  for (let file = 0; file < FILES; file++) writeFileSync(join(cwd, 'src', `module-${file}.txt`), `Module ${file}\n`)
  git(['add', '--all'])
  git(['commit', '--quiet', '--message', 'Sources'])
  const names = (kind: string, length: number) => Array.from({ length }, (_, at) => `create refs/${kind}/n${at} HEAD\n`)
  git(['update-ref', '--stdin'], [...names('heads', refs.branches), ...names('tags', refs.tags)].join(''))
  // Most of them are packed in a repository that is in use.
  git(['pack-refs', '--all'])
  const tree = `${cwd}-tree`
  const add = `git worktree add --quiet --detach ${tree}`
  const bare = `${add} && git -C ${tree} commit --quiet --allow-empty --message x && git worktree remove ${tree}`
  const probe = (...argv: string[]) => ({ argv, cwd, env: place.env })
  return { guard: probe(place.gza, 'guard', '--', 'true'), bare: probe('sh', '-c', bare) }
}

/** Git writes a file for each of its processes into this folder. */
function countGit(place: Place, { argv, cwd, env }: Probe): number {
  const folder = join(place.root, 'traced')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  runQuietly({ argv, cwd, env: { ...env, GIT_TRACE2_EVENT: folder } })
  return readdirSync(folder).length
}
