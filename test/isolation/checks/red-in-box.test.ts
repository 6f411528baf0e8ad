import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isBox } from '../../../src/core/isolation/levels.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS, type RunLevel } from '../runs/isolated-repo.ts'

function ownFile(repo: IsolatedRepo): string {
  return join(repo.env.HOME ?? '', '.config/gza/config.yaml')
}

/** Does what the advice says, and returns the line. */
function follow(repo: IsolatedRepo, printed: string): string {
  const line = /^.*Write into \S+: (isolation: .*)$/m.exec(printed)?.[1] ?? ''
  writeFileSync(ownFile(repo), `${line}\n`)
  return line
}

/** A program that needs a server of its own on localhost, and then one that is outside. */
const TALK = `
import { connect, createServer } from 'node:net'
const own = createServer().listen(0, '127.0.0.1', () => talk(own.address().port, () => talk(Number(process.argv[2]), process.exit)))
function talk(port, then) {
  connect(port, '127.0.0.1', () => then()).on('error', ({ code }) => {
    console.log(code + (port === own.address().port ? ' at its own server' : ' at the server outside'))
    process.exit(1)
  })
}
`

// Landlock hides nothing, and its checks have no localhost of their own.
const BOXES = LEVELS.filter(isBox)

for (const level of BOXES) {
  test(`${level}: a base that only misses a folder in the box is not red; the setting that opens it is named`, () => {
    const repo = anIsolatedRepo(level, {}, { config: { verify: { command: 'cat ~/.gnupg/fixture' } } })
    const fixture = join(repo.env.HOME ?? '', '.gnupg/fixture')
    mkdirSync(dirname(fixture))
    writeFileSync(fixture, 'needed\n')
    repo.add('One')
    const refused = repo.work('--all')
    expect(refused.code, refused.stdout + refused.stderr).toBe(1)
    expect(refused.stdout).toContain('passes its checks outside, but fails them in a box, so no agent is started')
    const line = `isolation: {level: auto, allow: [${repo.beside('').replace(/\/$/, '')}, ~/.gnupg]}`
    const advice = `It probably needs ~/.gnupg in isolation.allow, which opens it to agents too. Write into ${ownFile(repo)}: ${line}`
    expect(refused.stdout).toContain(`  ${advice}\n`)
    expect(repo.task('1').runs).toEqual([])
    expect(repo.inbox()).toMatchObject([
      { code: 'BASE_RED_IN_BOX', subject: 'main', detail: expect.stringContaining(`\n${advice}`) },
    ])
    expect(repo.why('1')).toBe('BASE_RED_IN_BOX')
    expect(outputOf(repo.gza('why', '1'))).toContain(advice)
    expect(JSON.parse(repo.run(repo.commandLine('work', '--all', '--json')).stdout.trim()).base_red.in_box).toEqual({
      allow: ['~/.gnupg'],
      file: ownFile(repo),
      advice,
    })
    expect(follow(repo, refused.stdout)).toBe(line)
    expect(repo.why('1')).toBe('READY')
    const { code, stdout, stderr } = repo.work('--all')
    expect(code, stdout + stderr).toBe(0)
    expect(repo.inbox()).toEqual([])
    expectNothingLeft(repo)
  })

  test(`${level}: without a network checks have their own localhost; gza merge names what opens the network`, () => {
    const outside = Bun.listen({ port: 0, hostname: '127.0.0.1', socket: { data() {} } })
    const files = { 'talk.mjs': TALK }
    const command = `node talk.mjs ${outside.port}`
    const repo = anIsolatedRepo(level, {}, { config: { verify: { command } }, files })
    repo.add('One')
    const worked = repo.work('--all')
    expect(worked.code, worked.stdout + worked.stderr).toBe(0)
    repo.commit('Without a network', {
      'gza.yaml': `${repo.git('show', 'main:gza.yaml')}\n`.replace('verify: {', 'verify: {"network":"off",'),
    })
    expect(outputOf(repo.gza('config', 'verify.network'))).toContain('off')
    const refused = repo.run(repo.commandLine('merge', '1'))
    expect(refused.code, refused.stdout + refused.stderr).toBe(1)
    expect(refused.stdout).toContain('main passes verification outside, but not in a box; nothing lands:')
    expect(refused.stdout).toContain('ECONNREFUSED at the server outside')
    expect(follow(repo, refused.stdout)).toContain(', network-for-checks]')
    const merged = repo.run(repo.commandLine('merge', '1'))
    expect(merged.code, merged.stdout + merged.stderr).toBe(0)
    expect(repo.git('show', 'main:One.txt')).toStartWith('One')
    expectNothingLeft(repo)
    outside.stop(true)
  })
}

const FIRST_CHECKS: Record<RunLevel, { command: string; advice: string }> = {
  bubblewrap: { command: 'cat ~/.gnupg/fixture', advice: 'It probably needs ~/.gnupg in isolation.allow' },
  unshare: { command: 'cat ~/.gnupg/fixture', advice: 'It probably needs ~/.gnupg in isolation.allow' },
  landlock: { command: 'touch ~/new && rm ~/new', advice: 'gza doctor lists what does not work inside' },
}

for (const level of LEVELS)
  test(`${level}: gza init says that the checks pass outside, and what to do`, () => {
    const { command, advice } = FIRST_CHECKS[level]
    const repo = anIsolatedRepo(level, {}, { config: { verify: { command } } })
    const fixture = join(repo.env.HOME ?? '', '.gnupg/fixture')
    mkdirSync(dirname(fixture))
    writeFileSync(fixture, 'needed\n')
    const printed = outputOf(repo.run(repo.commandLine('init', '--yes')))
    expect(printed).toContain('✗ The checks fail on main')
    expect(printed).toContain('Outside of a box they pass.')
    expect(printed).toContain(advice)
    expectNothingLeft(repo)
  })

test('a base that fails outside too is red, and was checked only twice', () => {
  const [level = 'bubblewrap'] = BOXES
  const command = 'echo x >>"$(cat beside.txt)/checks"; false'
  const repo = anIsolatedRepo(level, {}, { config: { verify: { command } } })
  repo.commit('where', { 'beside.txt': repo.beside('') })
  repo.add('One')
  expect(repo.work('--all').stdout).toContain('fails its own checks, so no agent is started')
  expect(repo.run(['wc', '-l', repo.beside('checks')]).stdout).toStartWith('2 ')
  expect(repo.inbox()).toMatchObject([{ code: 'BASE_RED' }])
})

test('a base with the work of agents in it is never checked outside', () => {
  const [level = 'bubblewrap'] = BOXES
  const probe =
    'if { echo >"$HOME/.ssh/probe"; } 2>/dev/null; then echo outside >>"$(cat beside.txt)/escaped"; exit 0; fi'
  const repo = anIsolatedRepo(
    level,
    { else: `printf '%s\\n' '${probe}' 'test ! -e "$(cat beside.txt)/late"' >check.sh; git commit -qam check` },
    { config: { land: 'merge', verify: { command: 'sh check.sh' } }, files: { 'check.sh': 'true\n' } },
  )
  mkdirSync(join(repo.env.HOME ?? '', '.ssh'))
  repo.commit('where', { 'beside.txt': repo.beside('') })
  repo.add('One')
  expect(repo.work('--all').code).toBe(0)
  expect(repo.git('log', '--format=%s', 'main', '--', 'check.sh')).toStartWith('check')
  writeFileSync(repo.beside('late'), '')
  repo.commit('later', { 'README.md': 'later\n' })
  repo.add('Two')
  const { stdout } = repo.work('--all')
  expect(stdout).not.toContain('If it passes in your own checkout')
  expect(stdout).toContain('fails its own checks, so no agent is started')
  expect(stdout).toContain('exited with 1 (checked only in a box, because work of agents is in it)')
  expect(existsSync(repo.beside('escaped'))).toBe(false)
  expectNothingLeft(repo)
})

test('what a base with the work of agents misses in the box is named as a guess', () => {
  const [level = 'bubblewrap'] = BOXES
  const command = 'sh check.sh'
  const config = { land: 'merge', verify: { command } }
  const repo = anIsolatedRepo(level, {}, { config, files: { 'check.sh': 'true\n' } })
  const fixture = join(repo.env.HOME ?? '', '.gnupg/fixture')
  mkdirSync(dirname(fixture))
  writeFileSync(fixture, 'needed\n')
  repo.add('One')
  expect(repo.work('--all').code).toBe(0)
  repo.commit('later', { 'check.sh': 'cat ~/.gnupg/fixture\n' })
  repo.add('Two')
  const refused = repo.work('--all')
  expect(refused.stdout).toContain(
    'because work of agents is in it). If it passes in your own checkout: It probably needs ~/.gnupg',
  )
  expect(follow(repo, refused.stdout)).toContain('~/.gnupg]}')
  expect(repo.work('--all').code).toBe(0)
})
