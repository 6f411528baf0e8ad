import { expect, test } from 'bun:test'
import { USES_COMMANDS, USES_TOOLS } from './reading-model.ts'

const SCHEMA = { properties: { ref: { type: 'string', description: 'Number or id' } }, required: ['ref'] }
const commands = (text: string) => USES_COMMANDS.decide?.({ tools: [], text, results: 0 })
const tools = (text: string, ...names: string[]) =>
  USES_TOOLS.decide?.({ tools: names.map((name) => ({ name, schema: SCHEMA })), text, results: 0 })

test('a model that was told of no command and no tool can do nothing', () => {
  expect(commands('Use gza.')).toEqual({ say: 'I was told of no command.' })
  expect(tools('Use gza.', 'bash')).toEqual({ say: 'No tool for next among bash' })
})

test('it runs a command only as it has read it, and otherwise one that tells it more', () => {
  expect(commands('Begin with `gza context`. `gza claim ID` takes a task')).toEqual({ run: 'gza context' })
  expect(commands('`gza context` `gza claim 7` `gza next`')).toEqual({ run: 'gza next' })
  expect(commands('`gza claim 7`\n7. [task] Write it')).toEqual({ run: 'gza claim 7' })
  expect(commands('gza claim 7\nrun: claim-1\ngza note 7 \\"…\\"')).toEqual({
    run: 'gza note 7 "The parser needs a lexer first."',
  })
})

test('it calls only tools that were listed, and names the task as an answer named it', () => {
  expect(tools('', 'mcp__gza__next')).toEqual({ call: 'mcp__gza__next', input: { ref: expect.any(String) } })
  const answered = '{"tasks":[{"number":7}],"total":1}'
  expect(tools(answered, 'gza_claim', 'other_claim')).toEqual({ call: 'gza_claim', input: { ref: '7' } })
})
