import { expect, test } from 'bun:test'
import { commandNames } from '../cli/tree/find-command.ts'
import { command, sentence } from '../core/sentence.ts'
import { factAsCalls, hintAsCalls, toolReader } from './commands-as-calls.ts'
import { allTools } from './tools/all-tools.ts'

const reader = toolReader(false)
const CALL = /\b(?<tool>[a-z]+) (?<input>\{.*?\})(?=[.; ]|$)/g

test('whichever command a hint names, a client is shown calls that exist, with valid arguments, and no command', async () => {
  const tools = new Map((await allTools()).map((tool) => [tool.name, tool]))
  for (const name of commandNames()) {
    for (const words of [[name], [name, '3'], [name, '3', '--text'], [name, '--all'], [name, '3', '--branch', 'b']]) {
      const hint = hintAsCalls({ command: words }, 'Task #3', reader)
      expect(hint).not.toMatch(/\bgza |git tasks/)
      const calls = [...hint.matchAll(CALL)].map(({ groups }) => groups)
      expect(calls.length).toBeGreaterThan(0)
      for (const call of calls)
        expect(tools.get(call?.tool ?? '')?.input.safeParse(JSON.parse(call?.input ?? ''))).toMatchObject({
          success: true,
        })
    }
  }
})

test('a command is printed as the call that does the same', () => {
  const hint = (line: ReturnType<typeof command>) => hintAsCalls(line, '', reader)
  expect(hint(command`claim --next`)).toBe('claim {}')
  expect(hint(command`show ${'T-1'} --text ${'plan'}`)).toBe('show {"ref":"T-1","text":"plan"}')
  expect(hint(command`ask ${3} "…"`)).toBe('note {"ref":"3","text":"…","ask":true}')
  expect(hint(command`ps`)).toBe('list {"status":"in_progress"}')
  expect(hint(command`search ${'parser'}`)).toBe('list {"text":"parser"}')
  expect(hint(command`search "parser -legacy"`)).toBe('list {"text":"parser -legacy"}')
  expect(hint(command`log`)).toBe('context {}')
  expect(hint(command`list --type plan --all`)).toBe('list {"status":"open,completed,failed,skipped","type":"plan"}')
  expect(hint(command`done ${['4', '5']}`)).toBe('done {"ref":"4"}; done {"ref":"5"}')
  expect(hint(command`list --branch main`)).toBe('context {}')
})

test('what no tool can do is left out, and in a run no other task is offered', () => {
  const hint = sentence`It can be released only there. ${command`claim ${3} --take-over`} claims it here.`
  expect(hintAsCalls(hint, 'Task #3 runs', reader)).toBe(
    'It can be released only there. Only people can change that. To explain why it is needed: note {"ref":"3","text":"…"}. To take another task: claim {}',
  )
  expect(hintAsCalls(command`claim --next`, '', toolReader(true))).not.toContain('claim')
  expect(
    factAsCalls(sentence`This clone has no tasks yet. If origin has some, ${command`sync`} fetches them`, reader),
  ).toBe('This clone has no tasks yet.')
})
