import { expect, test } from 'bun:test'
import { unknownCommands, writtenOutCommands } from './command-texts.ts'

const FOUND = 'src/tasks/a.ts:2: a command in a text is data: command`…` or commandLine`…`'

test.each([
  "'gza trust'",
  "'Read it, then: gza trust'",
  `\`gza edit \${number} --reopen\``,
  `\`gza \${verb} \${number}\``,
  `\`#\${number} has failed; gza retry \${number} opens it again\``,
])('%s spells a command out', (text) => {
  expect(writtenOutCommands([{ path: 'src/tasks/a.ts', text: `\nuse(${text})` }])).toEqual([FOUND])
  expect(writtenOutCommands([{ path: 'src/cli/tree/plan.ts', text }])).toEqual([])
})

test('commands as data, other words, comments and patterns are not commands in a text', () => {
  const text = "// gza trust\nuse(command`trust`, 'Another gza is landing', 'gza reads gza.yaml', /^gza context/)"
  expect(writtenOutCommands([{ path: 'src/tasks/a.ts', text }])).toEqual([])
})

test('a command that does not exist is found', () => {
  const text = `use(command\`trust\`, command\`\${verb} 3\`,\n sentence\`See \${commandLine\`shwo \${3}\`}\`)`
  expect(unknownCommands([{ path: 'src/tasks/a.ts', text }])).toEqual(['src/tasks/a.ts:2: there is no command shwo'])
})
