/** Plain git can put another commit over a ledger, or delete it. What was lost is named, and can be joined back. */
import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { add, contents, gza, tipOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'

const OVER = '+refs/tasks/*:refs/tasks/*'

test('doctor warns of a refspec, a mirror and a forced push that overwrite ledgers', () => {
  const { origin, ann } = aTeam()
  expect(remoteFindings(ann)).toEqual([])
  ann.git('config', '--add', 'remote.origin.fetch', OVER)
  ann.git('config', '--add', 'remote.origin.push', OVER)
  ann.git('remote', 'add', '--mirror=push', 'copy', origin.dir)
  expect(remoteFindings(ann)).toEqual([
    expect.stringContaining('git fetch puts the tasks of origin over those here'),
    expect.stringContaining('git push puts the tasks here over those of origin'),
    expect.stringContaining('it is a mirror'),
  ])
  const mirror = aRepo({ bare: true })
  mirror.git('remote', 'add', '--mirror=fetch', 'origin', origin.dir)
  expect(remoteFindings(mirror)).toEqual([
    expect.stringContaining('by +refs/*:refs/*'),
    'origin has tasks that are not here',
  ])
})

test('a mirror clone syncs, loses to its next fetch what it had not synced, and gets it back', () => {
  const { origin, ann } = aTeam()
  const mirror = ann.withEnv({ GZA_BRANCH: 'main' })
  mirror.git('clone', '--quiet', '--mirror', origin.dir, join(ann.dir, '../mirror.git'))
  const inMirror = (...args: string[]) => mirror.run(args, { cwd: join(ann.dir, '../mirror.git') })
  inMirror('gza', 'add', 'made in the mirror')
  inMirror('git', 'fetch', '--quiet')
  expect(inMirror('gza', 'list').stdout).not.toContain('made in the mirror')
  expect(inMirror('gza', 'restore', '--lost').stdout).toContain('main: joined with ')
  expect(inMirror('gza', 'sync')).toMatchObject({ code: 0, stdout: expect.stringContaining('main: pushed to origin') })
  inMirror('git', 'fetch', '--quiet')
  expect(inMirror('gza', 'list').stdout).toContain('made in the mirror')
  gza(ann, 'sync')
  expect(contents(ann)).toContain('made in the mirror')
})

test('a fetch over a ledger is noticed by the next command, named until it is mended, and mended by restore --lost', () => {
  const { ann } = aTeam()
  const lost = add(ann, 'not synced')
  ann.git('fetch', '--quiet', 'origin', OVER)
  const noticed = ann.gza('list')
  expect([noticed.stdout.includes('not synced'), noticed.stderr]).toEqual([
    false,
    expect.stringContaining('gza restore --lost joins the lost changes back'),
  ])
  expect(ann.gza('list').stderr).toBe('')
  add(ann, 'written afterwards')
  expect(ann.gza('inbox').stdout).toContain('LOST_CHANGES')
  expect(ann.gza('status').stderr).toContain('main has lost the changes up to')
  expect(ann.gza('doctor')).toMatchObject({ code: 1, stdout: expect.stringContaining('gza restore --lost') })
  expect(ann.gza('restore', '--lost').stdout).toMatch(/^main: joined with [0-9a-f]{7} \(3 tasks, 2 before\)\n$/)
  expect(contents(ann).sort()).toEqual(['not synced', 'synced', 'written afterwards'])
  expect(gza(ann, 'show', lost)).toContain('not synced')
  expect([ann.gza('verify').code, ann.gza('status').stderr, ann.gza('inbox').stdout]).toEqual([
    0,
    expect.not.stringContaining('lost'),
    expect.not.stringContaining('LOST_CHANGES'),
  ])
  expect(ann.gza('restore', '--lost')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Nothing is lost: no ledger misses a commit that it had.\n',
  })
})

test('a ledger that a pruning fetch deleted with its reflog comes back from what the index knew', () => {
  const { ann } = aTeam()
  add(ann, 'never synced', '--branch', 'idea')
  const tip = tipOf(ann, 'idea')
  ann.git('fetch', '--quiet', '--prune', 'origin', OVER)
  expect(ann.git('for-each-ref', 'refs/tasks/idea')).toBe('')
  ann.git('gc', '--quiet', '--prune=2.weeks.ago')
  expect(JSON.parse(ann.gza('restore', '--lost', '--json').stdout)).toEqual([
    { ledger: 'idea', tips: [tip], gone: [], task_count_before: 0, task_count: 1 },
  ])
  expect([tipOf(ann, 'idea'), contents(ann, '--branch', 'idea')]).toEqual([tip, ['never synced']])
})

test('without an index the reflog is enough', () => {
  const { ann } = aTeam()
  add(ann, 'not synced')
  ann.git('fetch', '--quiet', 'origin', OVER)
  rmSync(join(ann.dir, '.git/gza'), { recursive: true })
  expect(ann.gza('restore', '--lost', '--branch', 'main').stdout).toContain('(2 tasks, 1 before)')
})

test('a command that writes over a lost ledger names it too', () => {
  const { ann } = aTeam()
  add(ann, 'not synced')
  ann.git('update-ref', '-d', 'refs/tasks/main')
  expect(ann.gza('add', 'written since').stderr).toContain('gza restore --lost joins the lost changes back')
  expect(ann.gza('list').stderr).toBe('')
  gza(ann, 'restore', '--lost')
  expect(contents(ann).toSorted()).toEqual(['not synced', 'synced', 'written since'])
})

test('a lost ledger that git has collected before gza looked is not called complete', () => {
  const { ann } = aTeam()
  add(ann, 'never synced', '--branch', 'side')
  const tip = tipOf(ann, 'side').slice(0, 7)
  ann.git('update-ref', '-d', 'refs/tasks/side')
  ann.git('reflog', 'expire', '--expire=now', '--all')
  ann.git('gc', '--quiet', '--prune=now')
  expect(ann.gza('list', '--branch', 'side').stderr).toContain(`no longer contains ${tip}`)
  expect(remoteFindings(ann)).toEqual([`side had ${tip}, and git does not have that commit any more`])
  const restore = ann.gza('restore', '--lost')
  expect([restore.code, restore.stdout]).toEqual([1, expect.stringContaining(`side: ${tip} is lost`)])
  expect([ann.gza('restore', '--lost').stderr, remoteFindings(ann)]).toEqual([expect.stringMatching(/^Nothing/), []])
})

test('an archived ledger is not lost, and agents restore nothing', () => {
  const { ann } = aTeam()
  add(ann, 'over', '--branch', 'gone')
  gza(ann, 'prune', '--archive-open')
  gza(ann, 'list', '--branch', 'gone')
  expect(ann.gza('restore', '--lost').stderr).toStartWith('Nothing is lost')
  expect(ann.withEnv({ ZAGI_AGENT: 'claude-code' }).gza('restore', '--lost')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('restore is blocked in agent mode'),
  })
})

test('a fresh clone says that the remote has tasks; afterwards status counts what is not synced', () => {
  const { origin } = aTeam()
  const ben = origin.clone()
  expect(ben.gza('list').stderr).toBe(
    'No open tasks on main. Add one: gza add "…"\n' +
      'Warning: This clone has no tasks yet. If origin has some, gza sync fetches them\n',
  )
  const known = 'origin has tasks (of 1 branch) that are not here: '
  expect(ben.tasks('status').stderr).toContain(`${known}git tasks sync\n`)
  expect(ben.gza('init').stderr).toBe(`Warning: ${known}gza sync\n`)
  expect(remoteFindings(ben)).toEqual(['origin has tasks that are not here'])
  gza(ben, 'sync')
  expect(ben.gza('status').stderr).toBe('')
  const id = add(ben, 'mine')
  gza(ben, 'note', id, 'more')
  expect(ben.gza('status').stderr).toBe('2 changes of tasks are not on origin yet: gza sync\n')
  ben.git('remote', 'add', 'backup', `${origin.dir}-nowhere`)
  expect(ben.gza('status').stderr).toBe('2 changes of tasks are not on origin yet: gza sync\n')
})

test('a fresh clone of a remote that does not answer is told nothing, and waits for no password', () => {
  const repo = aRepo()
  repo.git('remote', 'add', 'origin', 'git://127.0.0.1:1/nothing.git')
  expect(repo.gza('init')).toMatchObject({ code: 0, stderr: '' })
})

function aTeam(): { origin: Repo; ann: Repo } {
  const origin = aRepo({ bare: true })
  const ann = origin.clone()
  ann.commit('first')
  ann.git('push', '--quiet', 'origin', 'main')
  add(ann, 'synced')
  gza(ann, 'sync')
  return { origin, ann }
}

/** What doctor says about remotes, where something is not in order. */
function remoteFindings(repo: Repo): string[] {
  const findings: Record<'name' | 'state' | 'detail', string>[] = JSON.parse(repo.gza('doctor', '--json').stdout)
  const about = findings.filter(({ name, state }) => /^(remote|sync|lost)/.test(name) && state !== 'ok')
  return about.map(({ detail }) => detail)
}
