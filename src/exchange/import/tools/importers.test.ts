import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { template } from './_template.ts'
import type { ForeignTask, Importer } from './importer.ts'
import { IMPORTERS, importerOf } from './importers.ts'

const FIXTURES = join(import.meta.dir, '../../../../test/fixtures/import')

function fixture(path: string) {
  return { name: path, text: readFileSync(join(FIXTURES, path), 'utf8') }
}

function readFixtures(importer: Importer, ...paths: string[]) {
  return importer.read(paths.map(fixture))
}

const outline = ({ name, status, priority, parent, dependsOn }: ForeignTask) => ({
  name,
  status,
  priority,
  ...(parent !== undefined && { parent }),
  ...(dependsOn.length > 0 && { dependsOn }),
})

test('beads: hierarchy by link and by name, blocks as dependencies, what is not work is left out', () => {
  const { tasks, skipped } = readFixtures(importerOf('beads'), 'beads/.beads/issues.jsonl')
  expect(tasks.map(outline)).toEqual([
    { name: 'shop-a1b2', status: 'pending', priority: 'high' },
    { name: 'shop-a1b2.1', status: 'completed', priority: 'critical', parent: 'shop-a1b2' },
    { name: 'shop-a1b2.2', status: 'pending', priority: 'medium', parent: 'shop-a1b2', dependsOn: ['shop-a1b2.1'] },
    { name: 'shop-c3', status: 'pending', priority: 'low', dependsOn: ['shop-gone'] },
    { name: 'shop-d4', status: 'pending', priority: 'low' },
  ])
  expect(tasks[1]).toEqual({
    name: 'shop-a1b2.1',
    title: 'Store the cart',
    body: 'Keep a cart between visits.\n\n## Design\n\nOne row a visitor.',
    status: 'completed',
    priority: 'critical',
    parent: 'shop-a1b2',
    dependsOn: [],
    criteria: ['The cart survives a restart', 'An empty cart is no error'],
    notes: ['Closed: Works since 0.2'],
    about: ['Type: feature', 'Labels: backend, storage', 'Assignee: ada'],
    createdAt: '2026-01-05T09:13:01.13027-06:00',
    createdBy: undefined,
    closedAt: '2026-01-07T15:17:23.145944-06:00',
  })
  expect(tasks[2]?.notes).toEqual(['ada: Ask the bank first'])
  expect(tasks[4]?.isOnHold).toBe(true)
  expect(skipped).toEqual([{ line: 6, why: 'shop-e5 is deleted' }])
})

const MASTER = [
  { name: '1', status: 'pending', priority: 'high' },
  { name: '2', status: 'pending', priority: 'medium', dependsOn: ['1'] },
  { name: '2.1', status: 'pending', priority: 'medium', parent: '2' },
  { name: '2.2', status: 'pending', priority: 'medium', parent: '2', dependsOn: ['2.1'] },
  { name: '3', status: 'completed', priority: 'low' },
  { name: '4', status: 'pending', priority: 'medium', dependsOn: ['1', '2'] },
]

test('Task Master: every tag with its tasks and their steps, a bare number names a step of the same task', () => {
  const { tasks } = readFixtures(importerOf('task-master'), 'task-master/.taskmaster/tasks/tasks.json')
  expect(tasks.map(outline)).toEqual([
    ...MASTER,
    { name: 'mobile/1', status: 'pending', priority: 'medium' },
  ] as ReturnType<typeof outline>[])
  expect(tasks[0]?.body).toBe(
    'Keep a cart between visits.\n\n## Details\n\nUse the session store.\n\nExpire after 30 days.',
  )
  expect(tasks.filter(({ isOnHold }) => isOnHold).map(({ name }) => name)).toEqual(['4'])
  expect(tasks.at(-1)?.group).toBe('mobile')
})

test('Task Master: a file from before tags is read as the master list', () => {
  const { tasks } = readFixtures(importerOf('task-master'), 'task-master/legacy.json')
  expect(tasks.map(outline)).toEqual(MASTER as ReturnType<typeof outline>[])
})

test('Task Master: ids that are texts are read like ids that are numbers', () => {
  const { tasks } = readFixtures(importerOf('task-master'), 'task-master/after-set-status.json')
  expect(tasks.map(({ name, status, parent, dependsOn }) => ({ name, status, parent, dependsOn }))).toEqual([
    { name: '1', status: 'completed', parent: undefined, dependsOn: [] },
    { name: '2', status: 'pending', parent: undefined, dependsOn: ['1'] },
    { name: '2.1', status: 'pending', parent: '2', dependsOn: [] },
  ])
})

test('Backlog.md: front matter, criteria, sections, milestones', () => {
  const { tasks, milestones } = readFixtures(
    importerOf('backlog'),
    'backlog/config.yml',
    'backlog/milestones/m-0 - first-release.md',
    'backlog/tasks/task-1 - Store-the-cart.md',
    'backlog/tasks/task-2 - Pay-by-card.md',
    'backlog/tasks/task-2.2 - Send-the-receipt-by-mail.md',
    'backlog/tasks/task-3 - Choose-a-currency.md',
    'backlog/tasks/task-4 - Show-prices.md',
  )
  expect(tasks[0]).toEqual({
    name: 'TASK-1',
    title: 'Store the cart',
    body: 'Keep a cart between visits.\n\nA visitor who comes back finds what was there.',
    status: 'pending',
    priority: 'high',
    dependsOn: [],
    criteria: ['The cart survives a restart', 'An empty cart is no error'],
    filesToModify: [],
    notes: [],
    about: ['Labels: storage, backend', 'Assignee: @ada'],
    createdAt: '2026-11-16T02:57:00.000Z',
    createdBy: undefined,
  })
  expect(tasks.map(outline).slice(1)).toEqual([
    { name: 'TASK-2', status: 'pending', priority: 'medium', dependsOn: ['TASK-1'] },
    { name: 'TASK-2.2', status: 'pending', priority: 'medium', parent: 'TASK-2', dependsOn: ['TASK-2.1'] },
    { name: 'TASK-3', status: 'completed', priority: 'medium' },
    { name: 'TASK-4', status: 'pending', priority: 'medium', dependsOn: ['TASK-3'] },
  ])
  expect(tasks[1]?.body).toBe('Take payments.\n\n## Definition of done\n\n- [ ] #1 Docs are updated')
  expect(tasks[2]?.title).toBe('Send the receipt: by "mail"')
  expect(tasks[2]?.filesToModify).toEqual(['src/mail.ts'])
  expect(tasks[3]?.notes).toEqual(['Final summary: Euro it is.'])
  expect(tasks[4]?.body).toBe('## Implementation plan\n\n1. Read\n2. Write')
  expect(milestones).toEqual([{ id: 'm-0', name: 'First release', description: 'Milestone: First release' }])
})

test('GitHub: recorded and written dependencies, with the repository in every name', () => {
  const { tasks, milestones } = readFixtures(importerOf('github'), 'github/issues.json')
  expect(tasks.map(outline)).toEqual([
    {
      name: 'acme/shop#12',
      status: 'pending',
      priority: 'high',
      parent: 'acme/shop#10',
      dependsOn: ['acme/shop#11', 'acme/shop#13', 'acme/shop#99'],
    },
    { name: 'acme/shop#11', status: 'completed', priority: 'medium', parent: 'acme/shop#10' },
    { name: 'acme/shop#10', status: 'pending', priority: 'critical' },
    { name: 'acme/shop#13', status: 'skipped', priority: 'medium', parent: 'acme/shop#10' },
  ])
  expect(tasks[0]?.about).toEqual([
    'Labels: backend, priority: high',
    'Assignees: ada',
    'https://github.com/acme/shop/issues/12',
  ])
  expect(milestones).toEqual([{ id: 'M2', name: 'First release', description: 'What the shop opens with' }])
})

test('an issue waits for the issues in its prose, and not for examples in code and comments', () => {
  const waits = (body: string) => {
    const text = JSON.stringify([
      { number: 1, title: 'A', body, state: 'OPEN', url: 'https://github.com/a/b/issues/1' },
    ])
    return importerOf('github').read([{ name: 'issues.json', text }]).tasks[0]?.dependsOn
  }
  expect(waits('Depends on #2, c/d#3 and https://github.com/a/b/issues/4.\r\nBlocked by: #1, and #5')).toEqual([
    ...['a/b#2', 'c/d#3', 'a/b#4', 'a/b#5'],
  ])
  expect(waits('<!-- Blocked by #2 -->\n```\nDepends on #3\n```\n`blocked by #4`\n~~~\ndepends on #5')).toEqual([])
  expect(waits('```js\na\n```\nDepends on #6')).toEqual(['a/b#6'])
})

test('each file is recognised only by its own tool', () => {
  const files = {
    beads: 'beads/.beads/issues.jsonl',
    'task-master': 'task-master/.taskmaster/tasks/tasks.json',
    backlog: 'backlog/tasks/task-1 - Store-the-cart.md',
    github: 'github/issues.json',
  }
  for (const [tool, path] of Object.entries(files)) {
    const found = IMPORTERS.filter((importer) => importer.recognises(fixture(path)))
    expect(found.map((importer) => importer.tool)).toEqual([tool as Importer['tool']])
  }
  const own = [
    '{"content":"Write it"}',
    '- [ ] Write it',
    '# Plan\n',
    '',
    '[]',
    '{}',
    '{"tasks":[]',
    '---\na: b\n---\n',
  ]
  const taken = own.filter((text) => IMPORTERS.some((importer) => importer.recognises({ name: '-', text })))
  expect(taken).toEqual([])
})

test('the known places of each tool are searched below a folder', () => {
  const paths = ['tasks/notes.md', 'tasks/task-1 - A.md', '.beads/issues.jsonl', '.beads/beads.jsonl', 'tasks.json']
  expect(IMPORTERS.map(({ tool, pick }) => [tool, pick(paths)])).toEqual([
    ['beads', ['.beads/issues.jsonl']],
    ['task-master', ['tasks.json']],
    ['backlog', ['tasks/task-1 - A.md']],
    ['github', []],
  ])
})

test('invalid input is refused with its position', () => {
  const refusal = (tool: Importer['tool'], text: string): string => {
    try {
      importerOf(tool).read([{ name: 'file', text }])
    } catch (error) {
      return (error as Error).message
    }
    return 'nothing'
  }
  expect(refusal('beads', '{"id":"a","title":"A"}\n<<<<<<< HEAD\n')).toBe('file line 2: not JSON')
  expect(refusal('beads', '{"id":"a"}')).toStartWith('file line 1: title: ')
  expect(refusal('task-master', '{"tasks":[{"id":1}]}')).toStartWith('file: tasks.0.title: ')
  expect(refusal('task-master', 'x')).toBe('file: not JSON')
  expect(refusal('backlog', '---\nid: 1\ntitle: [\n---\n')).toStartWith('file: front matter: ')
  expect(refusal('github', '[{"number":1}]')).toStartWith('file: 0.title: ')
})

test('the template is an importer that works', () => {
  const file = { name: 'tasks.json', text: '[{"id":"a","title":"A","done":true}]' }
  expect(template.recognises(file)).toBe(true)
  expect(template.pick(['.template/tasks.json', 'other'])).toEqual(['.template/tasks.json'])
  expect(template.read([file]).tasks.map(outline)).toEqual([
    { name: 'a', status: 'completed', priority: undefined },
  ] as ReturnType<typeof outline>[])
})
