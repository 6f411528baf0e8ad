import { beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { leaveOrphansToInit } from '../support/leave-orphans.ts'
import { aRepo } from '../support/repo.ts'
import { until } from '../support/until.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

beforeAll(leaveOrphansToInit)

/** Calls of gza from which every trace of the agent in the environment is gone. */
const WAYS = [
  'env -u GZA_AGENT "$gza" trust',
  'env -u GZA_AGENT -u GZA_RUN "$gza" trust',
  'env -u GZA_AGENT -u GZA_GUARD -u GZA_RUN "$gza" trust --revoke',
  'env -i HOME="$HOME" "$gza" trust',
  'env -i HOME="$HOME" GZA_TRUST=1 "$gza" work 2',
  'env -i HOME="$HOME" "$gza" merge --all',
  'env -i HOME="$HOME" "$gza" init',
  'env -i HOME="$HOME" bash -lc "$gza edit 2 --content easier"',
  'env -i HOME="$HOME" setsid --wait "$gza" delete 2',
  // Without the limit that all processes of a run inherit, its supervisor is still above them.
  'prlimit --rttime=unlimited:unlimited env -i HOME="$HOME" "$gza" trust',
]

/** Appends each way's exit code and the first line of its error to `$said`. */
const TRY = WAYS.map((way) => `${way} 2>err >/dev/null; echo "$? $(head -1 err)" >>"$said"; rm err`).join('\n')

/** An orphan of another session without any variable, which calls gza when its parent has ended. */
const ORPHAN = `( env -i HOME="$HOME" said="$said" gza="$gza" setsid sh -c '
  while [ ! -e "$said.go" ]; do sleep 0.02; done
  "$gza" trust 2>"$said.err" >/dev/null; echo "$? $(head -1 "$said.err")" >"$said.orphan"' </dev/null >/dev/null 2>&1 & )`

const REFUSED = /^1 Error: [\w -]+ is blocked in agent mode \((GZA_GUARD is set|inside run [\w-]+)\)/

test('an agent stays in agent mode without variables, in a new session, in a login shell and as an orphan', () => {
  const wait = 'touch "$said.go"; while [ ! -s "$said.orphan" ]; do sleep 0.02; done'
  const setUp = 'gza=$(command -v gza) said=$beside/said'
  const repo = anUnboxedRepo(
    { Hostile: `${setUp}\n${TRY}\n${ORPHAN}\n${wait}\ncommit a.txt one` },
    { env: { GZA_TRUST: undefined } },
  )
  expect(repo.gza('trust').code).toBe(0)
  repo.add('Hostile')
  repo.add('Other')
  expect(repo.gza('work', '1').code).toBe(0)
  const said = readFileSync(repo.beside('said'), 'utf8').trim().split('\n')
  expect(said).toEqual(WAYS.map(() => expect.stringMatching(REFUSED)))
  expect(readFileSync(repo.beside('said.orphan'), 'utf8')).toMatch(REFUSED)
  expect(repo.statuses()).toEqual({ Hostile: 'completed', Other: 'pending' })
  expect(repo.gza('trust', '--show').stdout).toContain('gza.yaml: trusted')
})

test('a command under gza guard stays in agent mode, and so does what it leaves running', async () => {
  const repo = aRepo()
  repo.commit('first', { 'gza.yaml': 'verify: { command: "true" }\n' })
  repo.gza('add', 'One')
  repo.gza('add', 'Two')
  const said = `${repo.dir}/../said`
  const script = `gza=$(command -v gza)\ncd "$PWD"\n${TRY}\n${ORPHAN}`
  expect(repo.run(['gza', 'guard', '--', 'bash', '-c', script], { env: { said } }).code).toBe(0)
  expect(readFileSync(said, 'utf8').trim().split('\n')).toEqual(WAYS.map(() => expect.stringMatching(REFUSED)))
  repo.write('../said.go', '')
  await until(() => existsSync(`${said}.orphan`) && readFileSync(`${said}.orphan`, 'utf8') !== '')
  expect(readFileSync(`${said}.orphan`, 'utf8')).toMatch(REFUSED)
  expect(repo.gza('trust', '--show').stdout).toContain('gza.yaml: not trusted')
  // Nothing of it applies to people, then or later.
  expect(repo.gza('edit', '1', '--content', 'By a person').code).toBe(0)
  expect(repo.gza('trust').code).toBe(0)
})

test('the run of a person’s own claim makes nobody an agent', () => {
  const repo = aRepo()
  repo.gza('add', 'One')
  const { run } = JSON.parse(repo.gza('claim', '1', '--json').stdout)
  const claimant = repo.withEnv({ GZA_RUN: run })
  expect(claimant.gza('edit', '1', '--content', 'Another text').code).toBe(0)
  expect(claimant.gza('done', '1').code).toBe(0)
  expect(repo.gza('log', '--json').stdout).not.toContain('"mode":"agent"')
})

test('init writes nothing in agent mode, and trusts no file that it did not write', () => {
  const repo = aRepo()
  repo.commit('first', { 'gza.yaml': 'verify: { command: "true" }\n' })
  const config = readFileSync(`${repo.dir}/.git/config`, 'utf8')
  const agent = repo.withEnv({ GZA_AGENT: 'zoe' }).gza('init')
  expect(agent).toMatchObject({ code: 1, stderr: expect.stringContaining('init is blocked in agent mode') })
  expect(readFileSync(`${repo.dir}/.git/config`, 'utf8')).toBe(config)
  expect(repo.gza('init').code).toBe(0)
  expect(repo.gza('trust', '--show').stdout).toContain('gza.yaml: not trusted')
})

/** An orphan without variables and without the stamp of its run, below nothing but the first process. */
const TRACELESS = (
  acts: string,
): string => `( prlimit --rttime=unlimited:unlimited env -i HOME="$HOME" PATH="$PATH" gza="$gza" beside="$beside" setsid sh -c '
  while [ ! -e "$beside/go" ]; do sleep 0.02; done; cd "$beside/repo"
  ${acts}; touch "$beside/tried"' </dev/null >/dev/null 2>&1 & )`

const TRUST = (way: string): string =>
  `${way} 2>"$beside/err" >/dev/null; echo "$? $(head -1 "$beside/err")" >>"$beside/said"`

test('a traceless orphan of a killed gza trusts nothing, before and after the next work has recovered the run', async () => {
  const tries = ['"$gza" trust', 'GZA_TRUST=1 "$gza" work 2', 'unshare -Urpf --mount-proc "$gza" trust'].map(TRUST)
  const acts = [...tries, 'touch "$beside/half"; while [ ! -e "$beside/recovered" ]; do sleep 0.02; done', ...tries]
  const kill = `gza=$(command -v gza)\n${TRACELESS(acts.join('\n'))}\ntouch "$beside/killed"; kill -9 $PPID`
  const repo = anUnboxedRepo(
    { Hostile: `[ ! -e "$beside/killed" ] || { commit a.txt one; exit; }\n${kill}; forever` },
    { env: { GZA_TRUST: undefined } },
  )
  expect(repo.gza('trust').code).toBe(0)
  repo.add('Hostile')
  repo.add('Other')
  repo.gza('work', '1')
  const trusted = readFileSync(`${repo.dir}/gza.yaml`, 'utf8')
  repo.write('gza.yaml', `${trusted}verify: { command: "echo stolen" }\n`)
  repo.write('../go', '')
  await until(() => existsSync(repo.beside('half')))
  repo.write('gza.yaml', trusted)
  // A person has a shell that is older.
  expect(repo.gza('work', '1').code).toBe(0)
  repo.write('gza.yaml', `${trusted}verify: { command: "echo stolen" }\n`)
  repo.write('../recovered', '')
  await until(() => existsSync(repo.beside('tried')))
  const said = readFileSync(repo.beside('said'), 'utf8').trim().split('\n')
  const refused = [/^1 .*Nothing shows that a person/, /^1 .*is not trusted/, /^1 .*Nothing shows that a person/]
  expect(said).toEqual([...refused, ...refused].map((text) => expect.stringMatching(text)))
  expect(repo.gza('trust', '--show').stdout).toContain('gza.yaml: not trusted')
  expect(repo.statuses()).toMatchObject({ Hostile: 'completed', Other: 'pending' })
  expect(repo.gza('trust').code).toBe(0)
})

test('a traceless process that outlives gza guard trusts nothing, but a person’s terminal does', async () => {
  const repo = aRepo()
  repo.commit('first', { 'gza.yaml': 'verify: { command: "true" }\n' })
  const beside = `${repo.dir}/..`
  const script = `gza=$(command -v gza)\n${TRACELESS(TRUST('"$gza" trust'))}`
  expect(repo.run(['gza', 'guard', '--', 'bash', '-c', script], { env: { beside } }).code).toBe(0)
  repo.write('../go', '')
  await until(() => existsSync(`${beside}/tried`))
  expect(readFileSync(`${beside}/said`, 'utf8')).toContain('Nothing shows that a person asks for this')
  expect(repo.gza('trust', '--show').stdout).toContain('gza.yaml: not trusted')
  // In a terminal that was opened since, also below the first process.
  const later = `setsid script -qec "gza trust" /dev/null >/dev/null 2>&1 </dev/null; touch ../opened`
  repo.run(['sh', '-c', `(${later}) & exit 0`])
  await until(() => existsSync(`${beside}/opened`))
  expect(repo.gza('trust', '--show').stdout).toContain('gza.yaml: trusted')
})
