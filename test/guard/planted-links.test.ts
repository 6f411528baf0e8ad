import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

/** A file and a folder of the user, outside of the repository. */
function victims(repo: AgentRepo): { file: string; folder: string } {
  const found = { file: repo.beside('victim.txt'), folder: repo.beside('victim') }
  writeFileSync(found.file, 'mine\n')
  mkdirSync(found.folder)
  return found
}

function expectUntouched({ file, folder }: ReturnType<typeof victims>): void {
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['mine\n', []])
}

const LINKS: [path: string, leadsTo: 'file' | 'folder', outcome: 'works' | 'refused'][] = [
  ['.gza', 'folder', 'refused'],
  ['.gza/logs', 'folder', 'refused'],
  ['.gza/plans', 'folder', 'works'],
  ['.git/info/exclude', 'file', 'works'],
  ['.git/gza', 'folder', 'refused'],
  ['.git/gza/state.db', 'file', 'refused'],
  ['.git/gza/live.db', 'file', 'refused'],
  ['.git/gza/guard', 'folder', 'refused'],
  ['.git/gza/guard/bin', 'folder', 'refused'],
  ['.git/gza/guard/hooks', 'folder', 'refused'],
  ['.git/gza/guard/branches', 'folder', 'refused'],
  ['.git/gza/guard/tips.jsonl', 'file', 'refused'],
]

test.each(LINKS)('nothing is written through a link at %s', (path, leadsTo, outcome) => {
  const repo = anUnboxedRepo({ Plan: `save "$(grep -o '.gza/plans/[^ ]*md' <<<"$prompt" | head -1)" steps` })
  const victim = victims(repo)
  repo.add('Write it')
  repo.add('Plan', '--type', 'plan')
  outputOf(repo.gza('work', '1'))
  const place = join(repo.dir, path)
  mkdirSync(dirname(place), { recursive: true })
  if (existsSync(place)) renameSync(place, repo.beside('moved'))
  for (const suffix of ['-wal', '-shm']) rmSync(place + suffix, { force: true })
  symlinkSync(victim[leadsTo], place)
  const { code, stderr } = repo.gza('work', '--all')
  expectUntouched(victim)
  expect(stderr).not.toMatch(/^ {4}at /m)
  if (outcome === 'works') return
  expect(code).toBe(1)
  expect(stderr + repo.gza('inbox').stdout).toMatch(/is a symbolic link|LINK_IN_THE_WAY/)
})

test('an agent that puts links in place of its log and of the guard’s record loses the lines, and nothing else', () => {
  const plant = [
    'log=$beside/repo/.gza/logs/$GZA_RUN.jsonl',
    'echo before; while ! grep -q before "$log"; do sleep 0.02; done',
    'mv "$log" "$beside/log"; ln -s "$beside/victim.txt" "$log"',
    'echo after; commit a.txt one',
  ]
  const repo = anUnboxedRepo({ Hostile: plant.join('\n') })
  const victim = victims(repo)
  repo.add('Hostile')
  outputOf(repo.gza('work', '1'))
  expectUntouched(victim)
  expect(repo.statuses()).toEqual({ Hostile: 'completed' })
})
