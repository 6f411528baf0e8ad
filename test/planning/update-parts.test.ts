import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

const FILES = ['src/db/a.ts', 'src/db/b.ts', 'src/api/c.ts', 'src/api/d.ts', 'web/ui/e.tsx', 'web/ui/f.tsx']
const CRITERIA = ['Rows are kept', 'The page shows conflicts']

interface Plan {
  files?: string[]
  criteria?: string[]
  more?: string
}

interface Filed {
  key: string
  status: string
  priority: string
  parent: string | null
  depends_on: string[]
  id: string
  files_to_create: string[]
  acceptance_criteria: string[]
}

function aSplitTask() {
  const repo = aRepo()
  repo.commit('first')
  const load = ({ files = FILES, criteria = CRITERIA, more = '' }: Plan, ...args: string[]) => {
    const lists = `Files to create: ${files.map((file) => `\`${file}\``).join(', ')}\nAcceptance criteria:\n- ${criteria.join('\n- ')}`
    const first = `### T1: Build the async sync engine with concurrency and caching\n${more}\n${lists}`
    repo.write('plan.md', `# Sync\n## Phase 1: Engine\n${first}\n### T2: Other\nAcceptance criteria:\n- It is there\n`)
    const result = repo.gza('plan', 'import', 'plan.md', '--json', ...args)
    return JSON.parse(result.stdout) as {
      created_count: number
      updated_count: number
      replaced_count: number
      warnings: string[]
    }
  }
  const tasks = () => JSON.parse(repo.gza('list', '--all', '--json').stdout) as Filed[]
  const parts = () => tasks().filter(({ key }) => /^T1-/.test(key ?? ''))
  /** Key, files, and the keys that it waits for. */
  const shape = () => {
    const keys = new Map(tasks().map(({ id, key }) => [id, key]))
    return parts().map((part) => [part.key, part.files_to_create, part.depends_on.map((id) => keys.get(id))])
  }
  return { repo, load, parts, shape }
}

test('parts that are not started yet follow the task: in one commit, under their keys, and the whole is their union', () => {
  const { repo, load, parts, shape } = aSplitTask()
  load({})
  expect(shape()).toEqual([
    ['T1-a', FILES.slice(0, 2), []],
    ['T1-b', FILES.slice(2), ['T1-a']],
  ])
  const steps = repo.git('rev-list', '--count', 'refs/tasks/main')
  const files = [...FILES.slice(0, 5), 'src/db/g.ts', 'src/jobs/h.ts']
  const criteria = [...CRITERIA, 'A job runs in the background']
  const changed = { files, criteria, more: 'Priority: high\nDepends on: T2' }
  expect(load(changed, '--update')).toMatchObject({
    created_count: 1,
    updated_count: 3,
    replaced_count: 0,
    warnings: expect.any(Array),
  })
  expect(Number(repo.git('rev-list', '--count', 'refs/tasks/main'))).toBe(Number(steps) + 1)
  expect(shape()).toEqual([
    ['T1-a', ['src/db/a.ts', 'src/db/b.ts', 'src/db/g.ts'], ['T2']],
    ['T1-b', ['src/api/c.ts', 'src/api/d.ts', 'web/ui/e.tsx'], ['T1-c']],
    ['T1-c', ['src/jobs/h.ts'], ['T1-a']],
  ])
  expect(parts().map(({ priority, acceptance_criteria }) => [priority, acceptance_criteria])).toEqual([
    ['high', ['Rows are kept']],
    ['high', ['The page shows conflicts']],
    ['high', ['A job runs in the background']],
  ])
  expect(load(changed, '--update')).toMatchObject({ created_count: 0, updated_count: 0, replaced_count: 0 })
  expect(repo.gza('verify').code).toBe(0)
})

test('parts that were started stay: what is new follows them, and what the task no longer has is warned of', () => {
  const { repo, load, shape } = aSplitTask()
  load({})
  repo.gza('done', 'T1-a')
  const files = [...FILES.slice(1), 'src/db/g.ts']
  const { created_count, warnings } = load({ files }, '--update')
  expect([created_count, warnings]).toEqual([
    1,
    ["plan.md:3: T1-a is completed with 'src/db/a.ts', which T1 no longer has"],
  ])
  expect(shape()).toEqual([
    ['T1-a', FILES.slice(0, 2), []],
    ['T1-b', FILES.slice(2), ['T1-c']],
    ['T1-c', ['src/db/g.ts'], ['T1-a']],
  ])
  repo.gza('done', 'T1-b', 'T1-c')
  expect(JSON.parse(repo.gza('show', 'T1', '--json').stdout).status).toBe('completed')
})

test('parts for which nothing is left are replaced and can be had back; a task that has grown is split', () => {
  const { repo, load, parts } = aSplitTask()
  load({})
  repo.gza('add', 'Waits for a part', '--depends-on', 'T1-b')
  const small = load({ files: FILES.slice(0, 1) }, '--update')
  expect(small).toMatchObject({ created_count: 0, updated_count: 1, replaced_count: 2 })
  expect(small.warnings).toEqual(['plan.md:3: #6 waited for T1-b, which is replaced: gza edit 6 --depends-on T1'])
  expect([parts(), repo.gza('ready').stdout.includes('T1 Build')]).toEqual([[], true])
  repo.gza('undo')
  expect(parts().map(({ key }) => key)).toEqual(['T1-a', 'T1-b'])
  load({ files: FILES.slice(0, 1) }, '--update')
  expect(load({}, '--update')).toMatchObject({ created_count: 2, updated_count: 1, replaced_count: 0 })
  expect(parts().map(({ key }) => key)).toEqual(['T1-c', 'T1-d'])
  expect(repo.gza('verify').code).toBe(0)
})

test('parts take over a new title, new dependencies and a new key', () => {
  const { repo, load, shape } = aSplitTask()
  load({})
  load({ more: 'Depends on: T2' }, '--update')
  expect(shape().map(([key, , waits]) => [key, waits])).toEqual([
    ['T1-a', ['T2']],
    ['T1-b', ['T1-a']],
  ])
  repo.write('plan.md', repo.run(['cat', 'plan.md']).stdout.replace('Build the async', 'Finish the async'))
  expect(repo.gza('plan', 'import', 'plan.md', '--update').stdout).toContain('Imported 0 tasks, updated 3\n')
  expect(JSON.parse(repo.gza('show', 'T1-b', '--json').stdout).title).toStartWith('Finish the async sync engine')
  repo.write('plan.md', repo.run(['cat', 'plan.md']).stdout.replace('T1:', 'T9:'))
  repo.gza('plan', 'import', 'plan.md', '--update')
  expect(repo.gza('show', 'T9-b').stdout).toContain('gza show T9 prints the whole.')
})

test('a part that a person deleted does not come back', () => {
  const { repo, load, parts } = aSplitTask()
  load({})
  repo.gza('delete', 'T1-b')
  load({ files: [...FILES, 'src/db/g.ts'] }, '--update')
  expect(parts().map(({ key, files_to_create }) => [key, files_to_create])).toEqual([
    ['T1-a', ['src/db/a.ts', 'src/db/b.ts', 'src/db/g.ts']],
  ])
})
