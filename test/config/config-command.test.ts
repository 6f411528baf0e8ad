import { expect, test } from 'bun:test'
import { KNOWN_KEYS } from '../../src/core/config/known-keys.ts'
import { aRepo } from '../support/repo.ts'
import { aConfiguredRepo, shown } from './configured-repo.ts'

test('without any file it shows what is built in, and no model', () => {
  const repo = aRepo()
  const lines = shown(repo)
  expect(lines.every((line) => line.endsWith(' (built in)'))).toBe(true)
  expect(lines).toContain('defaults.agent = claude (built in)')
  expect(lines).toContain('defaults.model = - (built in)')
  expect(lines).toContain('parallel_workers = 1 (built in)')
})

test('columns line up, under both names of the program', () => {
  const repo = aConfiguredRepo({ yaml: 'verify:\n  command: npm test\n' })
  const expected =
    'verify.command          npm test  gza.yaml:2\nverify.test_command     -         built in\nverify.timeout_minutes  30        built in\nverify.locks            -         built in\nverify.network          on        built in\n'
  expect(repo.gza('config', 'verify').stdout).toBe(expected)
  expect(repo.tasks('config', 'verify').stdout).toBe(expected)
})

test('--json gives each value with its origin, and never the value of a variable', () => {
  const repo = aConfiguredRepo({ yaml: 'agents:\n  aider:\n    command: aider --yes\n    env:\n      KEY: secret\n' })
  const inFile = (line: number) => ({ kind: 'project', file: 'gza.yaml', line, name: null })
  expect(JSON.parse(repo.gza('config', 'agents', '--json').stdout)).toEqual([
    { key: 'agents.aider.command', value: 'aider --yes', origin: inFile(3) },
    { key: 'agents.aider.stdin', value: false, origin: { kind: 'built-in', file: null, line: null, name: null } },
    { key: 'agents.aider.env', value: ['KEY'], origin: inFile(5) },
  ])
  expect(JSON.stringify(JSON.parse(repo.gza('config', '--json').stdout))).not.toContain('secret')
})

test('an unknown key is a usage error with the nearest one; a section may be empty', () => {
  const repo = aRepo()
  const { code, stderr } = repo.tasks('config', 'defaults.modle')
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'Error: There is no setting defaults.modle\n  Did you mean git tasks config defaults.model?\n',
  })
  expect(repo.gza('config', 'agents.aider').code).toBe(2)
  expect(repo.gza('config', 'colour').stderr).toBe(
    'Error: There is no setting colour\n  gza config lists all settings.\n',
  )
  expect(repo.gza('config', 'agents')).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(repo.gza('config', 'agents', '--json').stdout).toBe('[]\n')
})

test('it needs no branch, no commit and no ledger, and changes nothing', () => {
  const repo = aRepo()
  const head = repo.commit('first')
  repo.git('checkout', '--quiet', head)
  expect(repo.gza('config', 'ledger').stdout).toBe('ledger  -  built in\n')
  expect(repo.run(['ls', '.git/gza']).code).not.toBe(0)
})

test('keys are completed', () => {
  const { stdout } = aRepo().gza('__complete', '--', 'config', 'verify.')
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
    ...KNOWN_KEYS.filter((key) => key.startsWith('verify.')),
    '',
  ])
})
