/** What git does behind a person's commits now and then, gza does for agents'. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'

const ASK =
  'echo "$(git config gc.auto) $(git config maintenance.auto)" > "$beside/auto"; commit "$title.txt" x; git tasks done "$task"'

/** A repository that has more packs than git lets be. */
function aCrowded(): AgentRepo {
  const repo = anAgentRepo({ else: ASK })
  repo.git('config', 'gc.autoPackLimit', '1')
  for (const text of ['one', 'two', 'three']) {
    repo.git('-c', 'maintenance.auto=false', 'commit', '--quiet', '--allow-empty', '-m', text)
    repo.git('repack', '--quiet')
  }
  expect(packs(repo)).toBe(3)
  repo.add('chore')
  return repo
}

function packs(repo: AgentRepo): number {
  return Number(/^packs: (\d+)$/m.exec(repo.git('count-objects', '-v'))?.[1])
}

function packFiles(repo: AgentRepo): string[] {
  return readdirSync(join(repo.dir, '.git/objects/pack')).filter((name) => name.endsWith('.pack'))
}

const WAYS: [string, (repo: AgentRepo) => { code: number }][] = [
  ['gza work', (repo) => repo.gza('work')],
  ['git tasks run', (repo) => repo.tasks('run', '--once', '--runner', repo.beside('agent'))],
  [
    'gza guard',
    (repo) => repo.gza('guard', '--', 'sh', '-c', `beside=${repo.beside('.')}; ${ASK.replace(/; commit.*/, '')}`),
  ],
]

for (const [name, call] of WAYS) {
  test(`${name}: the agent's git packs nothing, gza does`, () => {
    const repo = aCrowded()
    expect(call(repo).code).toBe(0)
    expect(repo.run(['cat', repo.beside('auto')]).stdout).toBe('0 false\n')
    expect(packs(repo)).toBe(1)
  })
}

test('gza does neither where the person has switched it off', () => {
  const repo = aCrowded()
  repo.git('config', 'maintenance.auto', 'off')
  const before = packFiles(repo)
  expect(repo.gza('work').code).toBe(0)
  // What comes out of a box is a pack more.
  expect(packFiles(repo)).toEqual(expect.arrayContaining(before))
})
