import { expect, test } from 'bun:test'
import type { Setting } from './git-settings.ts'
import { refusePushes } from './refuse-pushes.ts'

test('every address is refused, and a remote’s whole address takes precedence over a prefix that the user has set', () => {
  expect(refusePushes(settings({ 'remote.origin.url': 'https://example.com/a.b.git', 'core.bare': 'false' }))).toEqual([
    { key: 'url.gza-refuses-push::.pushinsteadof', value: '' },
    { key: 'url.gza-refuses-push::.pushinsteadof', value: 'https://example.com/a.b.git' },
  ])
})

test('a pushurl, which pushInsteadOf leaves alone, is refused by address and at the other end', () => {
  const entries = refusePushes(settings({ 'remote.my.fork.url': '../in', 'remote.my.fork.pushurl': '../out' }))
  expect(entries.slice(2)).toEqual([
    { key: 'url.gza-refuses-push::.insteadof', value: '../out' },
    { key: 'remote.my.fork.receivepack', value: 'git remote-gza-refuses-push' },
  ])
})

test('an address that is also fetched from stays readable', () => {
  const entries = refusePushes(settings({ 'remote.a.url': '../both', 'remote.b.pushurl': '../both' }))
  expect(entries.map(({ key }) => key)).not.toContain('url.gza-refuses-push::.insteadof')
})

function settings(values: Record<string, string>): Setting[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, scope: 'local' }))
}
