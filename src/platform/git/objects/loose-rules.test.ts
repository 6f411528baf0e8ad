import { expect, test } from 'bun:test'
import { environmentNeedsGit, settingsNeedGit } from './loose-rules.ts'

test('git writes into a quarantine, and into objects that are elsewhere', () => {
  expect(environmentNeedsGit({ GIT_QUARANTINE_PATH: '/q' })).toBe(true)
  expect(environmentNeedsGit({ GIT_OBJECT_DIRECTORY: '/o' })).toBe(true)
  expect(environmentNeedsGit({ GIT_ALTERNATE_OBJECT_DIRECTORIES: '/a' })).toBe(true)
  expect(environmentNeedsGit({ GIT_DIR: '/d', HOME: '/h' })).toBe(false)
})

test('of the extensions only those that change no object are known', () => {
  const needs = (key: string) => settingsNeedGit([{ key, value: 'x' }])
  expect(['objectformat', 'refstorage', 'worktreeconfig'].map((name) => needs(`extensions.${name}`))).toEqual([
    false,
    false,
    false,
  ])
  expect(['partialclone', 'noop', 'compatobjectformat'].map((name) => needs(`extensions.${name}`))).toEqual([
    true,
    true,
    true,
  ])
  expect(['core.compression', 'user.name', 'remote.origin.url'].some(needs)).toBe(false)
})
