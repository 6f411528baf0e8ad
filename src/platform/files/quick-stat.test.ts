import { expect, test } from 'bun:test'
import { fstatSync, mkdirSync, mkdtempSync, openSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inodeAt, quickStat, quickStatOfDescriptor } from './quick-stat.ts'
import { readSmallFile } from './read-small-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'gza-stat-'))
const file = join(folder, 'a file, größer')
writeFileSync(file, 'text\n')
mkdirSync(join(folder, 'folder'))
symlinkSync(file, join(folder, 'link'))
symlinkSync('nowhere', join(folder, 'dangling'))

test('a file, a folder, a link and a device are as node:fs reports them', () => {
  for (const [path, kind] of [
    [file, 'file'],
    [join(folder, 'folder'), 'folder'],
    [join(folder, 'link'), 'file'],
    ['/dev/null', 'device'],
  ] as const) {
    const { uid, size } = statSync(path)
    expect(quickStat(path)).toMatchObject({ kind, owner: uid, size })
  }
})

test('nothing is found where nothing is, behind a link that leads nowhere, and below a file', () => {
  for (const path of [join(folder, 'missing'), join(folder, 'dangling'), join(file, 'below'), `${file}\0`])
    expect(quickStat(path)).toBeNull()
})

test('what was said of a file stays true when others are asked for, and a path can be as long as the system allows', () => {
  const before = quickStat(file)
  quickStat(folder)
  const longest = file.padStart(4094, '/')
  expect(Buffer.byteLength(longest)).toBe(4096)
  expect(quickStat(longest)).toBeNull()
  expect(quickStat(longest.slice(1))?.identity).toBe(before?.identity as string)
  expect(quickStat('x'.repeat(10_000))).toBeNull()
})

test('an inode is as node:fs reports it, and empty where nothing is', () => {
  expect(inodeAt(file)).toBe(String(statSync(file, { bigint: true }).ino))
  expect(inodeAt(join(folder, 'missing'))).toBe('')
})

test('a file that took the name of another has another identity', () => {
  const before = quickStat(file)?.identity
  expect(quickStat(join(folder, 'link'))?.identity).toBe(before as string)
  writeFileSync(join(folder, 'new'), 'text\n')
  renameSync(join(folder, 'new'), file)
  expect(quickStat(file)?.identity).not.toBe(before)
})

test('a descriptor is described, and a closed one is not', () => {
  const descriptor = openSync('/dev/null', 'r')
  expect(quickStatOfDescriptor(descriptor)).toMatchObject({ kind: 'device', owner: fstatSync(descriptor).uid })
  expect(quickStatOfDescriptor(9999)).toBeNull()
})

test('small, empty and large files are read, and what is not a file is not', () => {
  const large = join(folder, 'large')
  writeFileSync(large, 'x'.repeat(200_000))
  writeFileSync(join(folder, 'empty'), '')
  expect(readSmallFile(file)).toBe('text\n')
  expect(readSmallFile(large)).toHaveLength(200_000)
  expect(readSmallFile(join(folder, 'empty'))).toBe('')
  expect(readSmallFile(join(folder, 'folder'))).toBeNull()
  expect(readSmallFile(join(folder, 'missing'))).toBeNull()
})
