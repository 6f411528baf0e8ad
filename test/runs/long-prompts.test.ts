import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { AGENTS } from '../../src/agents/registry.ts'
import { binDir } from '../support/built-program.ts'
import { aRepo, type Repo } from '../support/repo.ts'

/** Longer than any argument may be on Linux. */
const CONTENT = `A long task\n\n${'Do this, and then that. '.repeat(6000)}\nTHE VERY END`

/** Keeps what it was given: its arguments, and all of standard input up to its end. */
const RECORD = `#!/bin/bash
beside=BESIDE/$(basename "$0")
printf '%s\\0' "$@" >"$beside.arguments"
cat >"$beside.stdin"
file=$(grep -o '/[^ ]*/gza/prompts/[^ ]*\\.md' "$beside.arguments" -a | head -1)
[ -z "$file" ] || { cp "$file" "$beside.file"; echo "$file" >"$beside.path"; stat -c %a "$file" >>"$beside.path"; }
echo done >"$(basename "$0").txt"
`

/** A repository with programs of these names, each of which only keeps what it was given. */
function aRecordingRepo(programs: readonly string[], agents: Record<string, unknown> = {}) {
  const repo = aRepo({ env: { GZA_TRUST: '1' } })
  const root = dirname(repo.dir)
  const bin = join(root, 'clients')
  mkdirSync(bin)
  for (const name of programs) {
    writeFileSync(join(bin, name), RECORD.replace('BESIDE', root))
    chmodSync(join(bin, name), 0o755)
  }
  repo.env.PATH = [bin, binDir(), process.env.PATH].join(delimiter)
  repo.commit('first', { 'gza.yaml': `defaults: { max_attempts: 1 }\nagents: ${JSON.stringify(agents)}\n` })
  const kept = (name: string): string => (existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : '')
  return { repo, kept, argumentsOf: (name: string) => kept(`${name}.arguments`).split('\0').slice(0, -1) }
}

function addLong(repo: Repo, agents: readonly string[]): void {
  const lines = agents.map((agent) => JSON.stringify({ content: CONTENT, assigned_agent: agent }))
  expect(repo.run(['gza', 'import', '-'], { stdin: lines.join('\n') }).code).toBe(0)
}

const isWhole = (text: string): boolean => text.includes(CONTENT)

test('every client gets a prompt that is too long for an argument on standard input, which then ends', () => {
  const clients = AGENTS.map(({ name }) => name)
  const { repo, kept, argumentsOf } = aRecordingRepo(clients)
  addLong(repo, clients)
  repo.gza('work', '--all', '--workers', '3')
  const longest = (name: string) => Math.max(...argumentsOf(name).map(({ length }) => length))
  expect(clients.map((name) => [name, isWhole(kept(`${name}.stdin`)), longest(name) < 10_000])).toEqual(
    clients.map((name) => [name, true, true]),
  )
})

test('a plain command gets it on standard input and in a file, or where its configuration asks for it', () => {
  const programs = ['last', 'placed', 'file', 'input']
  const { repo, kept, argumentsOf } = aRecordingRepo(programs, {
    last: { command: 'last --message' },
    placed: { command: 'placed --message={prompt} --yes' },
    file: { command: 'file --from {prompt_file}' },
    input: { command: 'input -', stdin: true },
  })
  addLong(repo, programs)
  expect(repo.gza('work', '--all').code).toBe(0)
  const places = (name: string) => [isWhole(kept(`${name}.stdin`)), isWhole(kept(`${name}.file`))]
  expect(programs.map(places)).toEqual([
    [true, true],
    [true, true],
    [false, true],
    [true, false],
  ])
  const pointer = /^(--message=)?Your instructions .* on standard input .* in the file \/\S+\/gza\/prompts\/\S+\.md\. /
  expect(argumentsOf('last')).toEqual(['--message', expect.stringMatching(pointer)])
  expect(argumentsOf('placed')).toEqual([expect.stringMatching(pointer), '--yes'])
  expect(argumentsOf('file')).toEqual(['--from', expect.stringMatching(/\.md$/)])
  expect(argumentsOf('input')).toEqual(['-'])
  // Others cannot read it, and it is gone after the call.
  const [path = '', mode] = kept('file.path').split('\n')
  expect([mode, existsSync(path), isWhole(kept('file.stdin'))]).toEqual(['600', false, false])
  expect(kept('file.stdin')).toBe('')
  const short = repo.run(['gza', 'add', 'A short one', '--assigned-agent', 'placed'])
  expect(short.code).toBe(0)
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(argumentsOf('placed')[0]).toStartWith('--message=')
  expect(argumentsOf('placed')[0]).toContain('A short one')
  expect(repo.tasks('run', '--runner', 'input {prompt_file}').code).toBe(0)
})
