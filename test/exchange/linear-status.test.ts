import { afterEach, expect, test } from 'bun:test'
import type { FakeLinear } from '../support/linear/fake-linear.ts'
import { aLinearRepo, stopLinear, view } from '../support/linear/linear-repo.ts'

const LONG = 60_000

afterEach(stopLinear)

const states = ({ issues }: FakeLinear) => issues.map(({ title, state }) => [title, state])

test(
  'status goes both ways: the side that moved since the last sync leads',
  async () => {
    const { repo, linear, sync } = aLinearRepo()
    for (const title of ['A', 'B', 'C', 'D']) repo.gza('add', title)
    await sync()
    repo.gza('done', '1')
    linear.moveTo('ENG-2', 'Shipped')
    linear.moveTo('ENG-3', 'Dropped')
    linear.moveTo('ENG-4', 'In Review')
    expect((await sync()).stdout).toContain('Created 0 issues in ENG, updated 1, pulled 2\n')
    expect(states(linear)).toEqual([
      ['A', 's-shipped'],
      ['B', 's-shipped'],
      ['C', 's-dropped'],
      ['D', 's-review'],
    ])
    expect(['1', '2', '3', '4'].map((ref) => view(repo, ref).status)).toEqual([
      'completed',
      'completed',
      'skipped',
      'pending',
    ])
    expect(view(repo, '2').notes).toEqual(['Completed in Linear: ENG-2'])

    linear.moveTo('ENG-1', 'Todo')
    repo.gza('edit', '4', '--title', 'D, renamed')
    await sync()
    expect(view(repo, '1').status).toBe('pending')
    expect(states(linear)[3]).toEqual(['D, renamed', 's-review'])
    expect(linear.violations).toEqual([])
  },
  LONG,
)

test(
  'an issue that is completed before its parts leaves the task open, which is reported until they are',
  async () => {
    const { repo, linear, sync } = aLinearRepo()
    repo.gza('add', `${'a'.repeat(253)}😀😀`)
    for (const title of ['B', 'C']) repo.gza('add', title, '--parent', '1')
    await sync()
    expect(linear.issues[0]?.title).toBe(`${'a'.repeat(253)}…`)
    linear.moveTo('ENG-1', 'Shipped')
    linear.moveTo('ENG-2', 'Dropped')
    expect((await sync('--dry-run')).stderr).toMatch(/ENG-1 is completed, but #3 below it is open here\n$/)
    for (const took of [1, 0]) {
      const { code, stdout, stderr } = await sync()
      expect([code, stdout.includes(`pulled ${took}\n`)]).toEqual([0, true])
      expect(stderr).toMatch(/ENG-1 is completed, but #3 below it is open here\n$/)
    }
    expect(['1', '2', '3'].map((ref) => view(repo, ref).status)).toEqual(['pending', 'skipped', 'pending'])
    repo.gza('done', '3')
    expect(await sync()).toMatchObject({ code: 0, stderr: '' })
    expect([view(repo, '1').status, states(linear).map(([, state]) => state)]).toEqual([
      'completed',
      ['s-shipped', 's-dropped', 's-shipped'],
    ])
  },
  LONG,
)

test(
  'an issue is the issue of one task: another that names it is left alone, and reported',
  async () => {
    const { repo, linear, sync } = aLinearRepo()
    repo.gza('add', 'A')
    await sync()
    const names = ['ENG-1', linear.issues[0]?.id, 'ENG-9']
    const lines = names.map((linear_issue_id, at) => JSON.stringify({ content: `Other ${at}`, linear_issue_id }))
    repo.run(['gza', 'import', '-'], { stdin: lines.join('\n') })
    repo.gza('done', '1')
    await sync()
    const { stderr } = await sync()
    expect(stderr.replace(/task-\w+/g, 'ID').split('\n')).toEqual([
      'ID is not changed: ENG-1 is already the issue of #1',
      'ID is not changed: ENG-1 is already the issue of #1',
      'ID is not changed: ENG-9 is not in Linear',
      '',
    ])
    expect(['1', '2', '3', '4'].map((ref) => view(repo, ref).status)).toEqual([
      'completed',
      'pending',
      'pending',
      'pending',
    ])
    expect(linear.issues.map(({ title }) => title)).toEqual(['A'])
  },
  LONG,
)
