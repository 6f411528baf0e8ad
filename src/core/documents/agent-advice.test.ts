import { expect, test } from 'bun:test'
import { command, type Sentence, sentence, sentenceText } from '../sentence.ts'
import { commandLineReader, factForAgent, hintForAgent } from './agent-advice.ts'

const outside = commandLineReader(false)
const inRun = commandLineReader(true)
const advice = (hint: Sentence, fact: Sentence = 'Task #3 is completed', reader = outside) =>
  sentenceText(hintForAgent(hint, fact, reader))

test('a hint that an agent can follow stays as it is', () => {
  const hint = sentence`Read it (${command`show ${3}`}); then ${command`note ${3} "…"`}`
  expect(hintForAgent(hint, '', outside)).toBe(hint)
  expect(hintForAgent('Free some space.', '', outside)).toBe('Free some space.')
})

test('for a hint that only people can follow, an agent gets what it may do instead', () => {
  const instead =
    'Only people can change that. To explain why it is needed: gza note 3 "…". To take another task: gza claim --next'
  expect(advice(command`edit ${3} --reopen`)).toBe(instead)
  expect(advice(command`claim ${3} --take-over`)).toBe(instead)
  expect(advice(command`agents resume ${'claude'}`, 'claude is paused')).toContain('gza note ID "…"')
  expect(advice(command`edit ${3} --reopen`, 'Task #3 is completed', inRun)).toBe(
    'Only people can change that. To explain why it is needed: gza note 3 "…". Continue with your own task.',
  )
  expect(advice(command`claim --next`, '', inRun)).toContain('Continue with your own task.')
})

test('the number of an example is not the number of a task', () => {
  expect(advice(command`archive 12`, 'No tasks were given')).toContain('gza note ID "…"')
})

test('the clauses of a hint that an agent can follow are kept', () => {
  expect(advice(sentence`It waits. ${command`work ${3}`} starts it; ${command`why ${3}`} says why`)).toBe(
    'It waits. gza why 3 says why',
  )
  expect(advice(sentence`${command`kill ${3}`} ends it, or release a claim: ${command`release ${3}`}`)).toBe(
    'Release a claim: gza release 3',
  )
  expect(advice(sentence`Wait until it is answered (${command`answer ${3} TEXT`}), then: ${command`show ${3}`}`)).toBe(
    'Wait until it is answered, then: gza show 3',
  )
  expect(advice(sentence`Nothing was changed. ${command`sync`} tries again.`, '')).toStartWith(
    'Nothing was changed. Only people can change that.',
  )
})

test('what is left of a sentence does not end in the middle', () => {
  const hint = sentence`Set it in the environment, or ${command`edit ${3}`}. To get another task: ${command`claim --next`}`
  expect(advice(hint)).toBe('Set it in the environment. To get another task: gza claim --next')
})

test('a fact loses what it says about commands for people, unless nothing else would be left', () => {
  expect(factForAgent(sentence`it failed twice; ${command`retry ${3}`} tries again`, outside)).toEqual([
    'It failed twice',
  ])
  const bare = sentence`This only runs in ${command`work`}`
  expect(factForAgent(bare, outside)).toBe(bare)
})
