import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

/** What a person has in the environment, and an agent does not get. */
const SECRETS = { GITHUB_TOKEN: 'hidden-token', SSH_AUTH_SOCK: '/hidden-socket', LINEAR_API_KEY: 'hidden-key' }

/** The agent replaces the programs that the person's settings name, and leaves work for gza to commit. */
const act = (name: string) => `
spy() { printf '#!/bin/sh\\nenv >"%s/seen/$$"\\nenv -i PATH="$PATH" HOME="$HOME" gza trust >"%s/trust/$$" 2>&1\\n%s\\n' "$beside" "$beside" "$1"; }
spy cat >.filter; spy 'git merge-file --union "$2" "$1" "$3"' >.driver; chmod +x .filter .driver
git commit -qam 'other programs'; commit list.txt ${name}; echo left >${name}.txt; gza ps >/dev/null
`

test('a program of the tree that the person’s settings name runs without secrets and in agent mode', () => {
  const repo = anUnboxedRepo(
    { one: act('one'), two: act('two') },
    {
      defaults: { max_attempts: 1, auto_review: false },
      config: { land: 'merge', verify: { command: 'true' } },
      files: { '.gitattributes': '*.txt filter=own merge=own\n', 'list.txt': 'start\n' },
    },
  )
  repo.write('.filter', '#!/bin/sh\ncat\n')
  repo.write('.driver', '#!/bin/sh\ngit merge-file --union "$2" "$1" "$3"\n')
  for (const name of ['.filter', '.driver']) chmodSync(join(repo.dir, name), 0o755)
  repo.git('add', '-A')
  repo.git('commit', '-qm', 'programs')
  for (const name of ['clean', 'smudge']) repo.git('config', `filter.own.${name}`, './.filter')
  repo.git('config', 'merge.own.driver', './.driver %O %A %B')
  for (const name of ['seen', 'trust']) mkdirSync(repo.beside(name))
  repo.add('one')
  repo.add('two')
  const person = repo.withEnv(SECRETS)
  person.gza('work', '--all', '--workers', '2')
  for (const args of [['ps'], ['queue'], ['show', '1'], ['diff', '1'], ['doctor'], ['merge', '--all']])
    person.gza(...args)
  expect(repo.task('1').landings).toMatchObject([{ outcome: 'landed' }])
  expect(repo.git('show', 'main:one.txt')).toBe('left')
  // Those of the agent's own git have the guard's variables.
  const byGza = textsIn(repo, 'seen').filter((text) => !/^GZA_GUARD=/m.test(text))
  expect(byGza.length).toBeGreaterThan(2)
  expect(byGza.filter((text) => /hidden|^GZA_TRUST=/m.test(text))).toEqual([])
  const answers = textsIn(repo, 'trust')
  expect(answers.filter((text) => !text.includes('trust is blocked in agent mode'))).toEqual([])
})

function textsIn(repo: AgentRepo, folder: string): string[] {
  return readdirSync(repo.beside(folder)).map((name) => readFileSync(join(repo.beside(folder), name), 'utf8'))
}

test('git-lfs still fetches as the person where gza checks files out', () => {
  const repo = anUnboxedRepo({}, { config: { land: 'merge' }, files: { '.gitattributes': '*.bin filter=lfs\n' } })
  repo.commit('a large file', { 'large.bin': 'large\n' })
  repo.git('config', 'filter.lfs.smudge', 'git-lfs smudge -- %f')
  const folder = repo.beside('programs')
  mkdirSync(folder)
  writeFileSync(join(folder, 'git-lfs'), `#!/bin/sh\nenv >>${repo.beside('lfs')}\nexec cat\n`, { mode: 0o755 })
  repo.add('plain')
  const PATH = [folder, repo.env.PATH].join(delimiter)
  expect(repo.withEnv({ ...SECRETS, PATH }).gza('work').stdout).toContain('landed on main')
  expect(existsSync(repo.beside('lfs'))).toBe(true)
  expect(readFileSync(repo.beside('lfs'), 'utf8')).toContain('SSH_AUTH_SOCK=/hidden-socket')
})
