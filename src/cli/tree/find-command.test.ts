import { expect, test } from 'bun:test'
import { ALL_COMMANDS } from './all-commands.ts'
import { commandNames, findCommand } from './find-command.ts'

test('every command is found by its name, and nothing else is', async () => {
  expect(commandNames()).toEqual(ALL_COMMANDS.map(({ name }) => name))
  for (const command of ALL_COMMANDS) expect(await findCommand(command.name)).toBe(command)
  expect(await findCommand('lst')).toBeUndefined()
  expect(await findCommand('constructor')).toBeUndefined()
})
