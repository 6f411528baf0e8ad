import { expect, test } from 'bun:test'
import { howToGetABox, type MachineFacts } from './how-to-get-a-box.ts'

const FACTS: MachineFacts = {
  ...{ isRoot: false, hasBubblewrap: true, installer: 'apt-get', settings: {}, isChroot: false, isContainer: false },
}

test('without bubblewrap, the command of this system installs it', () => {
  expect(howToGetABox({ ...FACTS, hasBubblewrap: false })).toEqual(['Install bubblewrap: apt-get install bubblewrap.'])
  expect(howToGetABox({ ...FACTS, hasBubblewrap: false, installer: null })).toEqual([
    'Install bubblewrap: with the package manager of the system.',
  ])
})

test('each setting that forbids user namespaces is named, and root is not shown those that concern only others', () => {
  const settings = {
    'user.max_user_namespaces': '0',
    'kernel.unprivileged_userns_clone': '0',
    'kernel.apparmor_restrict_unprivileged_userns': '1',
  }
  expect(howToGetABox({ ...FACTS, settings })).toEqual([
    'user.max_user_namespaces is 0: sysctl -w user.max_user_namespaces=15000 allows user namespaces.',
    'kernel.unprivileged_userns_clone is 0: sysctl -w kernel.unprivileged_userns_clone=1 allows user namespaces.',
    'kernel.apparmor_restrict_unprivileged_userns is 1: give bwrap a profile in /etc/apparmor.d that has "userns,", or set it to 0.',
  ])
  expect(howToGetABox({ ...FACTS, settings, isRoot: true })).toHaveLength(1)
  const open = { ...settings, 'user.max_user_namespaces': '7000', 'kernel.unprivileged_userns_clone': '1' }
  expect(howToGetABox({ ...FACTS, settings: open, isRoot: true })).toEqual([
    'A policy of the system, or of what this process runs in, refuses user namespaces.',
  ])
})

test('a chroot and a container are named', () => {
  expect(howToGetABox({ ...FACTS, isChroot: true })[0]).toStartWith('In a chroot')
  expect(howToGetABox({ ...FACTS, isContainer: true })[0]).toStartWith('In a container')
})
