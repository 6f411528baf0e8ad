import { expect, test } from 'bun:test'
import { fitPrompt, type PromptPart } from './fit-prompt.ts'

const TEMPLATE = 'Do {task_id}.\n\n{task}\n{plan}\n{context}\n{tasks}\nEnd.\n'

const part = (place: PromptPart['place'], name: string, text: string): PromptPart => ({
  place,
  name,
  text,
  form: 'data',
})

test('texts that fit are whole, and each part is counted', () => {
  const parts = [part('plan', 'plan p', 'a plan of 20 letters'), part('task', 'task t', 'do it')]
  const { text, parts: counted } = fitPrompt(TEMPLATE, { parts, words: { task_id: 'task-1' }, most: 1000 })
  expect(text).toBe(
    'Do task-1.\n\n--- BEGIN task t ---\ndo it\n--- END task t ---\n' +
      '--- BEGIN plan p ---\na plan of 20 letters\n--- END plan p ---\nEnd.\n',
  )
  expect(counted).toEqual([
    { name: 'instructions', tokens: 5, whole: 5 },
    { name: 'plan p', tokens: 5, whole: 5 },
    { name: 'task t', tokens: 2, whole: 2 },
  ])
})

test('one long text neither exceeds the limit nor displaces the others, and what was cut is named', () => {
  const plans = [part('plan', 'plan a', 'x'.repeat(40_000)), part('plan', 'plan b', 'y'.repeat(40_000))]
  const parts = [...plans, part('context', 'finished task', 'short'), part('task', 'task t', 'do it')]
  const { text, parts: counted } = fitPrompt(TEMPLATE, { parts, words: {}, most: 1000 })
  expect(text.length).toBeLessThan(4500)
  expect(text).toContain('--- BEGIN finished task ---\nshort\n')
  expect(text).toEndWith(
    'so these texts are not complete in it:\n' +
      '- plan a: shortened, the whole has about 10000 tokens\n- plan b: left out, about 10000 tokens\n',
  )
  expect(counted.map(({ name, tokens, whole }) => [name, tokens < whole])).toEqual([
    ['instructions', false],
    ['plan a', true],
    ['plan b', true],
    ['finished task', false],
    ['task t', false],
  ])
})

test('what others do meanwhile does not change what is asked for', () => {
  const asked = part('task', 'task t', 'do it')
  const build = (others: string) => {
    const parts = [asked, { ...part('tasks', 'around', others), isAside: true as const }]
    return fitPrompt(TEMPLATE, { parts, words: {}, most: 1000 })
  }
  expect(build('one is open').text).not.toBe(build('all are done').text)
  expect(build('one is open').key).toBe(build('all are done').key)
  const other = fitPrompt(TEMPLATE, { parts: [part('task', 'task t', 'do that')], words: {}, most: 1000 })
  expect(other.key).not.toBe(build('one is open').key)
})
