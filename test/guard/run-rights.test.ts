import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { outputOf } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

/** Appends each call's exit code and what it printed to `$beside/said`. */
const SAY = 'say() { local out; out=$("$@" 2>&1); echo "$? $(head -1 <<<"$out")" >>"$beside/said"; }'

interface Listed {
  number: number
  title: string
  status: string
  on_hold: boolean
}

function listed(repo: Repo): Listed[] {
  const tasks: Listed[] = JSON.parse(outputOf(repo.gza('list', '--all', '--json')))
  return tasks.map(({ number, title, status, on_hold }) => ({ number, title, status, on_hold }))
}

test('inside a run an agent closes its own task and what it filed, and takes no other task', () => {
  const calls = [
    'gza done 2 3',
    'git tasks done 3 --note "not needed"',
    'env -i HOME="$HOME" "$gza" done 2',
    'env -u GZA_RUN GZA_RUN="$other" gza done 2',
    'gza claim 2',
    'gza claim --next',
    'gza claim 3 --take-over',
    'gza release 3 --run "$other"',
    'gza assign 2 scripted',
    'gza add "Filed by the agent"',
    'gza done 4',
    'gza done "$task"',
  ]
  const setUp = 'gza=$(command -v gza) other=$(cat "$beside/claim")'
  const repo = anAgentRepo({ Own: [SAY, setUp, ...calls.map((call) => `say ${call}`), 'commit a.txt one'].join('\n') })
  for (const title of ['Own', 'Another', 'Claimed']) repo.add(title)
  const helena = repo.withEnv({ GZA_AGENT: 'helena' })
  const { run } = JSON.parse(outputOf(helena.gza('claim', '3', '--json')))
  repo.write('../claim', run)
  expect(repo.gza('work', '1').code).toBe(0)
  const notOwn = (number: number) =>
    expect.stringMatching(
      new RegExp(`^1 Error: Run [\\w-]+ cannot \\w+ ${repo.task(String(number)).id}: that is not its own task`),
    )
  const oneTask = expect.stringMatching(/^1 Error: \w+ is blocked inside run [\w-]+: a run has one task$/)
  expect(readFileSync(repo.beside('said'), 'utf8').trim().split('\n')).toEqual([
    ...[notOwn(2), notOwn(3), notOwn(2), notOwn(2)],
    ...[oneTask, oneTask, oneTask, oneTask],
    notOwn(2),
    expect.stringMatching(/^0 Created task #4 /),
    expect.stringMatching(/^0 ✓ Task #4 completed/),
    expect.stringMatching(/^0 ✓ Task #1 reported as done/),
  ])
  expect(repo.statuses()).toEqual({
    Own: 'completed',
    Another: 'pending',
    Claimed: 'in_progress',
    'Filed by the agent': 'completed',
  })
  expect(helena.withEnv({ GZA_RUN: run }).gza('done', '3').code).toBe(0)
})

test('an agent that gza did not start closes and claims as before, but takes no task from its holder', () => {
  const repo = aRepo()
  for (const title of ['One', 'Two', 'Three']) repo.gza('add', title)
  const [helena, zoe] = ['helena', 'zoe'].map((name) => repo.withEnv({ GZA_AGENT: name })) as [Repo, Repo]
  outputOf(zoe.gza('done', '1'))
  const { run } = JSON.parse(outputOf(helena.gza('claim', '2', '--json')))
  for (const call of [['claim', '2', '--take-over'], ['assign', '2', 'claude'] as const]) {
    const refused = zoe.gza(...call)
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('only people take a task from its holder'),
    })
  }
  outputOf(zoe.gza('claim', '--next'))
  outputOf(helena.withEnv({ GZA_RUN: run }).gza('done', '2'))
  outputOf(repo.gza('claim', '3', '--take-over'))
})

test('beyond a run’s limit tasks are filed on hold, with one entry in the inbox that lets them go', () => {
  const lines = '{"content":"Four"}\\n{"content":"Five"}\\n'
  const file = [
    // The agent's own configuration does not decide.
    'printf "defaults: { max_filed_tasks: 1000 }\\n" >gza.yaml',
    ...['One', 'Two', 'Three'].map((title) => `gza add ${title}`),
    `printf '${lines}' | gza import -`,
    'git checkout gza.yaml',
    'commit a.txt one',
  ]
  const repo = anAgentRepo({ Filing: file.join('\n') }, { defaults: { max_filed_tasks: 2 } })
  repo.add('Filing')
  expect(repo.gza('work', '1').code).toBe(0)
  const held = (number: number, title: string) => ({ number, title, status: 'pending', on_hold: true })
  const filed = [
    { number: 2, title: 'One', status: 'pending', on_hold: false },
    { number: 3, title: 'Two', status: 'pending', on_hold: false },
    ...[held(4, 'Three'), held(5, 'Four'), held(6, 'Five')],
  ]
  expect(listed(repo).slice(1)).toEqual(filed)
  expect(repo.gza('list').stdout).toContain('on hold')
  expect(repo.gza('why', '5').stdout).toMatch(
    /ON_HOLD: run [\w-]+ filed it beyond max_filed_tasks; gza resolve 5 --resume/,
  )
  const item = {
    task: expect.objectContaining({ number: 4 }),
    code: 'TOO_MANY_TASKS',
    detail: 'a run of #1 filed 3 tasks beyond its limit, on hold: #4 #5 #6',
    commands: ['gza resolve 4 --resume', 'gza delete 4 5 6'],
    ...{ subject: null, cycle_texts: [] },
  }
  expect(repo.inbox().filter(({ code }) => code !== 'NOT_LANDED')).toEqual([item])
  // In another clone it is the same.
  const remote = aRepo({ bare: true })
  repo.git('remote', 'add', 'origin', remote.dir)
  repo.git('push', '--quiet', 'origin', 'main')
  outputOf(repo.gza('sync'))
  const clone = remote.clone()
  outputOf(clone.gza('sync'))
  expect(listed(clone).slice(1)).toEqual(filed)
  expect(JSON.parse(outputOf(clone.gza('inbox', '--json')))).toContainEqual(item)
  outputOf(repo.gza('work', '--all'))
  expect(repo.statuses()).toMatchObject({ One: 'completed', Two: 'completed', Three: 'pending', Five: 'pending' })
  outputOf(repo.gza('resolve', '4', '--resume'))
  expect(listed(repo).some(({ on_hold }) => on_hold)).toBe(false)
  expect(repo.gza('verify').code).toBe(0)
})

test('tasks that runs of filed tasks file are held where they go too deep', () => {
  const repo = anAgentRepo(
    {
      Level0: 'gza add Level1; commit a.txt one',
      Level1: 'gza add Level2; commit b.txt two',
      Level2: 'gza add Level3; commit c.txt three',
    },
    { defaults: { max_filing_depth: 2 } },
  )
  repo.add('Level0')
  outputOf(repo.gza('work', '--all'))
  expect(listed(repo)).toEqual([
    ...['Level0', 'Level1', 'Level2'].map((title, at) => ({
      number: at + 1,
      title,
      status: 'completed',
      on_hold: false,
    })),
    { number: 4, title: 'Level3', status: 'pending', on_hold: true },
  ])
  expect(repo.inbox().find(({ code }) => code === 'TASKS_TOO_DEEP')).toMatchObject({
    detail: 'a run of #3 filed 1 task 3 levels deep, on hold: #4',
    commands: ['gza resolve 4 --resume', 'gza delete 4'],
  })
})
