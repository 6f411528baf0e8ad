import { describe, expect, test } from 'bun:test'
import { HAS_SCRIPT } from '../support/has-script.ts'
import { add, ask, contents, gza, listAll, show } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'

test('in a team of four, every number that a list shows names that task in each clone', () => {
  const clones = aTeam(4)
  for (const clone of clones) for (let n = 1; n <= 6; n++) add(clone, `task ${n} of ${clones.indexOf(clone)}`)
  for (const clone of [...clones, ...clones]) gza(clone, 'sync')
  for (const clone of clones) {
    const listed = listAll(clone)
    expect(listed.map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, at) => at + 1))
    for (const { number, id } of listed) expect(show(clone, number).id).toBe(id)
  }
  const [first, last] = [clones[0] as Repo, clones[3] as Repo]
  const numbers = listAll(last).map(({ number }) => String(number))
  const ids = listAll(last).map(({ id }) => id)
  expect(ask<{ id: string }[]>(first, 'done', ...numbers).map(({ id }) => id)).toEqual(ids)
  for (const number of ['1', '6', '7', '24']) gza(last, 'note', number, `note on ${number}`)
  for (const number of [1, 6, 7, 24]) expect(show(last, ids[number - 1] as string).notes).toEqual([`note on ${number}`])
})

test('imported tasks that get new numbers keep their order', () => {
  const [first, second] = aTeam(2) as [Repo, Repo]
  const steps = Array.from({ length: 8 }, (_, at) => `step ${at + 1}`)
  const checklist = steps.map((title) => `- [ ] ${title}\n`).join('')
  first.write('steps.md', checklist.replaceAll('step', 'earlier'))
  gza(first, 'import', 'steps.md')
  const filed = Date.parse(ask<{ created_at: string }>(first, 'show', '8').created_at)
  while (Date.now() < filed + 1000) Bun.sleepSync(10)
  second.write('steps.md', checklist)
  gza(second, 'import', 'steps.md')
  for (const clone of [first, second, first]) gza(clone, 'sync')
  const earlier = steps.map((title) => title.replace('step', 'earlier'))
  for (const clone of [first, second]) expect(contents(clone)).toEqual([...earlier, ...steps])
})

describe('a number that meant another task before a merge', () => {
  const [here, kept, moved] = afterAMerge()
  const names = `#1 is ${kept.id} ${kept.title}; before a merge it was also ${moved.id} (now #2) ${moved.title}`

  test('works, and the command adds one line about it', () => {
    expect(here.gza('note', '1', 'seen')).toEqual({
      code: 0,
      stdout: '✓ Task #1 noted\n',
      stderr: `Warning: ${names}\n`,
    })
    expect(here.gza('note', '2', 'seen').stderr).toBe('')
  })

  test.each([[['delete', '1']], [['merge', '#1']], [['resolve', '1', '--skip']]])(
    'is not enough for %j without a terminal',
    (args) => {
      const hint = `Nothing was changed. Use the id instead of 1: ${kept.id} or ${moved.id}`
      expect(here.gza(...args)).toEqual({ code: 1, stdout: '', stderr: `Error: ${names}\n  ${hint}\n` })
      const { error } = JSON.parse(here.tasks(...args, '--json').stdout)
      expect(error).toEqual({ code: 'NUMBER_REUSED', message: names, hint })
      expect(listAll(here)).toHaveLength(2)
    },
  )

  test.each([[['delete', '1']], [['merge', '1']], [['resolve', '1', '--skip']]])(
    'is not asked of agents by %j',
    (args) => {
      const { stderr } = here.withEnv({ GZA_AGENT: 'claude-code' }).gza(...args)
      expect(stderr).toContain('is blocked in agent mode (GZA_AGENT is set)')
    },
  )

  test.if(HAS_SCRIPT)('is asked about by delete on a terminal', () => {
    const answer = (word: string) => here.run(['script', '-qec', 'gza delete 1', '/dev/null'], { stdin: `${word}\n` })
    expect(answer('n').stdout).toContain(`${names}. Do you mean ${kept.id}? [y/N]`)
    expect(listAll(here)).toHaveLength(2)
    expect(answer('y').stdout).toContain('Task #1 deleted')
    expect(listAll(here).map(({ id }) => id)).toEqual([moved.id])
    gza(here, 'restore', '1')
  })

  test('the number of a task that never shared it, and an id, need no question', () => {
    gza(here, 'delete', '2')
    gza(here, 'delete', kept.id)
    expect(listAll(here)).toEqual([])
  })
})

interface Named {
  id: string
  title: string
}

function afterAMerge(): [Repo, Named, Named] {
  const [here, there] = aTeam(2) as [Repo, Repo]
  for (const clone of [here, there]) add(clone, clone === here ? 'mine' : 'theirs')
  for (const clone of [here, there, here]) gza(clone, 'sync')
  const [kept, moved] = listAll(here)
  return [here, kept as Named, moved as Named]
}

function aTeam(size: number): Repo[] {
  const origin = aRepo({ bare: true })
  return Array.from({ length: size }, () => origin.clone())
}
