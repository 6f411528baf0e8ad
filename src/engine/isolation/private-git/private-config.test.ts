import { expect, test } from 'bun:test'
import { privateConfig } from './private-config.ts'

const OURS = `[core]
	bare = "false"
[gc]
	auto = "0"
[maintenance]
	auto = "false"
[commit]
	gpgsign = "false"
[tag]
	gpgsign = "false"
`
const VERSION = '[core]\n\trepositoryformatversion = "0"\n'
const none = { hooks: null, excludes: null, hasOtherOwner: false }

function filtered(settings: Record<string, string>): string {
  const entries = Object.entries(settings).map(([key, value]) => ({ key, value }))
  return privateConfig(entries, none).replace(VERSION, '').replace(OURS, '')
}

test('credentials, addresses to push to, includes and settings of other places are left out', () => {
  const left = {
    'credential.helper': 'store',
    'credential.https://a.example.helper': 'store',
    'http.extraheader': 'Authorization: x',
    'http.https://a.example.extraheader': 'Authorization: x',
    'include.path': '/etc/more',
    'includeif.gitdir:/a/.path': '/etc/more',
    'branch.main.remote': 'origin',
    'remote.origin.pushurl': 'ssh://a.example/b',
    'remote.origin.push': 'refs/heads/*',
    'remote.pushdefault': 'origin',
    'core.worktree': '/elsewhere',
    'extensions.worktreeconfig': 'true',
    'extensions.refstorage': 'reftable',
    'lfs.storage': '/elsewhere',
    'gza.sign': 'true',
  }
  expect(filtered(left)).toBe('')
})

test('nothing stays that runs a program, except filters, merge drivers and text conversions', () => {
  const left = {
    'core.sshcommand': 'ssh -i key',
    'core.fsmonitor': '/bin/watch',
    'core.askpass': '/bin/ask',
    'core.alternaterefscommand': '/bin/x',
    'alias.x': '!rm',
    'uploadpack.packobjectshook': '/bin/x',
    'remote.origin.uploadpack': '/bin/x',
    'gpg.program': '/bin/x',
    'protocol.ext.allow': 'always',
    'url.ext::x.insteadof': 'https:',
    'submodule.a.update': '!x',
  }
  expect(filtered(left)).toBe('')
  expect(filtered({ 'filter.lfs.clean': 'git-lfs clean -- %f', 'merge.npm.driver': 'npx merge %A' })).toBe(
    '[filter "lfs"]\n\tclean = "git-lfs clean -- %f"\n[merge "npm"]\n\tdriver = "npx merge %A"\n',
  )
})

test('a token in an address is left out', () => {
  expect(filtered({ 'remote.origin.url': 'https://me:token@a.example/b.git' })).toBe(
    '[remote "origin"]\n\turl = "https://a.example/b.git"\n',
  )
  expect(filtered({ 'lfs.url': 'https://token@a.example/b.git/info/lfs' })).toContain('"https://a.example/')
})

test('values and names keep their characters', () => {
  expect(filtered({ 'user.name': 'A "B" \\ C\n\td', 'diff.a "b".xfuncname': '^x#;' })).toBe(
    '[user]\n\tname = "A \\"B\\" \\\\ C\\n\\td"\n[diff "a \\"b\\""]\n\txfuncname = "^x#;"\n',
  )
})

test('an object format needs the newer version of the repository format', () => {
  const text = privateConfig([{ key: 'extensions.objectformat', value: 'sha256' }], {
    hooks: '.husky/_',
    excludes: '/e',
    hasOtherOwner: false,
  })
  expect(text).toStartWith('[core]\n\trepositoryformatversion = "1"\n[extensions]\n\tobjectformat = "sha256"\n')
  expect(text).toContain('hookspath = ".husky/_"')
  expect(text).toContain('excludesfile = "/e"')
})

test('git compares no owners where files have another one inside', () => {
  const owned = (hasOtherOwner: boolean) => privateConfig([], { ...none, hasOtherOwner })
  expect(owned(true)).toContain('checkstat = "minimal"')
  expect(owned(false)).not.toContain('checkstat')
})
