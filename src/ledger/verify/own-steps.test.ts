import { expect, test } from 'bun:test'
import type { Repo } from '../../platform/git/find-repo.ts'
import { areOwnSteps, noteOwnStep } from './own-steps.ts'

test('only an unbroken chain of own steps counts as own, and only forward', () => {
  const repo = {} as Repo
  noteOwnStep(repo, 'a', 'b')
  noteOwnStep(repo, 'b', 'c')
  noteOwnStep(repo, 'x', 'y')
  const ways = ['ab', 'ac', 'aa', 'ca', 'ay', 'zz'].map((way) => [way, areOwnSteps(repo, way[0] ?? '', way[1] ?? '')])
  expect(ways).toEqual([
    ['ab', true],
    ['ac', true],
    ['aa', true],
    ['ca', false],
    ['ay', false],
    ['zz', true],
  ])
  expect(areOwnSteps({} as Repo, 'a', 'b')).toBe(false)
})
