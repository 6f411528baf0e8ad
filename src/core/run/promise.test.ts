import { expect, test } from 'bun:test'
import { openPromiseDetector } from './promise.ts'

const PROMPT = 'Do it.\nWhen it is done, say `<promise>DONE</promise>`, on a line of its own.\n'

function isPromised(text: string, prompt = PROMPT): boolean {
  const detector = openPromiseDetector(prompt)
  for (const line of text.split('\n')) detector.read(line)
  return detector.isPromised()
}

test.each([
  '<promise>DONE</promise>',
  'All tests pass.\n\n<promise>DONE</promise>',
  '<promise>DONE</promise>\nTokens: 1.2k sent',
  '  **<promise>DONE</promise>**  ',
  '\u001b[32m<promise>DONE</promise>\u001b[0m',
  '<promise>DONE</promise>\r',
  '```\nan output that was cut off\n<promise>DONE</promise>',
])('a promise on its own line counts: %j', (text) => {
  expect(isPromised(text)).toBe(true)
})

test.each([
  'I will say <promise>DONE</promise> when I am done.',
  'DONE',
  '<promise>done</promise>',
  '> <promise>DONE</promise>',
  '    <promise>DONE</promise>',
  '```\n<promise>DONE</promise>\n```\nis what I must say',
  '`<promise>DONE</promise>`',
  PROMPT,
])('a promise in a sentence, a quote or code does not count: %j', (text) => {
  expect(isPromised(text)).toBe(false)
})

test('a repeated prompt promises nothing, however its lines are broken', () => {
  const prompt = 'Build the loop. It ends\nwhen the agent says this:\n<promise>DONE</promise>\nand not before.\n'
  expect(isPromised(prompt, prompt)).toBe(false)
  expect(isPromised(`user:\n${prompt.replaceAll(' ', '\n')}`, prompt)).toBe(false)
  expect(isPromised(`${prompt}I have built it.\n<promise>DONE</promise>`, prompt)).toBe(true)
})

test('a fence that another message left open does not quote later messages', () => {
  const detector = openPromiseDetector(PROMPT)
  detector.read('```')
  detector.pause()
  detector.read('<promise>DONE</promise>')
  detector.read('```')
  expect(detector.isPromised()).toBe(true)
})
