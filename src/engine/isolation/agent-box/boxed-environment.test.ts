import { expect, test } from 'bun:test'
import { boxedEnvironment } from './boxed-environment.ts'

const GUARDED = {
  PATH: '/bin',
  TMPDIR: '/somewhere',
  GZA_RUN: 'run',
  GZA_GUARD: '1',
  GZA_GUARD_COUNT: '3',
  GZA_GUARD_HOOKS: '/repo/.git/hooks',
  GZA_LEAN_HOOKS: '/repo/.git/gza/guard/hooks/lean',
  GZA_LEAN_AT: '1',
  GZA_KEPT_BRANCHES: '/repo/.git/gza/guard/branches/run',
  GZA_OWN_BRANCH: 'task/one',
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'user.name',
  GIT_CONFIG_VALUE_0: 'Ann',
  GIT_CONFIG_KEY_1: 'core.hookspath',
  GIT_CONFIG_VALUE_1: '/repo/.git/gza/guard/hooks',
  GIT_CONFIG_KEY_2: 'gc.auto',
  GIT_CONFIG_VALUE_2: '0',
}

test('the hooks of the guard are left out, and its other settings stay', () => {
  expect(boxedEnvironment(GUARDED)).toEqual({
    ...{ PATH: '/bin', TMPDIR: '/tmp', GZA_RUN: 'run', GZA_GUARD: '1', GIT_CONFIG_COUNT: '2' },
    ...{ GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Ann' },
    ...{ GIT_CONFIG_KEY_1: 'gc.auto', GIT_CONFIG_VALUE_1: '0' },
  })
})

test('hooks that a person has set in the environment take the place of those of the guard', () => {
  const { GIT_CONFIG_KEY_1, GIT_CONFIG_VALUE_1, GZA_GUARD_CHAIN } = boxedEnvironment({
    ...GUARDED,
    GZA_GUARD_CHAIN: '/own/hooks',
  })
  expect([GIT_CONFIG_KEY_1, GIT_CONFIG_VALUE_1, GZA_GUARD_CHAIN]).toEqual(['core.hookspath', '/own/hooks', undefined])
})
