import { afterEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { aLinear, KEY } from '../support/linear/fake-linear.ts'
import { aLinearRepo, CONFIG, keepLinear, stopLinear, view } from '../support/linear/linear-repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

/** Silence is waited for, again and again. */
const LONG = 60_000

afterEach(stopLinear)

test(
  'tasks become issues with labels, priority, estimate, parent, milestone and blocking relations, once',
  async () => {
    const { repo, linear, sync } = aLinearRepo()
    repo.gza('add', 'Checkout\n\nAll of it.', '--priority', 'high')
    const part = ['--parent', '1', '--milestone', 'M1', '--estimated-complexity', 'high', '-t', 'implement']
    repo.gza('add', 'Store the cart', ...part, '--accept', 'It survives a restart', '--group', 'Shop')
    repo.gza('add', 'Pay by card', '--parent', '1', '--depends-on', '2', '--priority', 'critical')
    repo.gza('add', 'Was done before')
    repo.gza('done', '4')

    const dry = await sync('--dry-run')
    expect(dry.stdout).toEndWith(
      'Would make 1 project, 1 milestone, 1 label, 1 relation\nWould create 3 issues in ENG, updated 0, pulled 0\n',
    )
    expect([linear.issues, linear.requests.some((name) => name.endsWith('Create'))]).toEqual([[], false])
    expect(view(repo, '1').linear_issue_id).toBeNull()

    const first = await sync()
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(linear.violations).toEqual([])
    const [checkout, cart, card] = linear.issues
    expect(checkout).toMatchObject({ identifier: 'ENG-1', title: 'Checkout', description: 'All of it.', priority: 2 })
    expect(cart).toMatchObject({
      ...{ description: '## Acceptance criteria\n\n- [ ] It survives a restart', priority: 3, estimate: 3 },
      ...{ labels: ['Implement', 'Shop'], parent: checkout?.id, milestone: linear.projects[0]?.milestones[0]?.id },
      state: 's-todo',
    })
    expect(card).toMatchObject({ priority: 1, parent: checkout?.id })
    expect(linear.relations).toMatchObject([{ blocker: cart?.id, blocked: card?.id }])
    expect(linear.projects.map(({ milestones }) => milestones.map(({ name }) => name))).toEqual([['M1']])
    expect(view(repo, '2').linear_issue_id).toBe(cart?.id)
    expect(repo.git('log', '-1', '--format=%s', 'refs/tasks/main')).toBe('sync 3 tasks with Linear')

    linear.requests.splice(0)
    const again = await sync('--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ created: [], updated: [], pulled: [], relations: 0 })
    expect(linear.requests.filter((name) => /Create|Update/.test(name))).toEqual([])

    // Another clone that knows nothing of it, and no memory: the same ids, so nothing new.
    rmSync(join(repo.dir, '.git', 'gza'), { recursive: true })
    await sync()
    expect([linear.issues.length, linear.relations.length, linear.violations]).toEqual([3, 1, []])
    expect(repo.gza('verify').code).toBe(0)
  },
  LONG,
)

test(
  'what people change in Linear stays, and what they threw away is not made again',
  async () => {
    const { repo, linear, sync } = aLinearRepo()
    repo.gza('add', 'A')
    repo.gza('add', 'B')
    await sync()
    linear.issues[0]!.title = 'A, as the product says'
    linear.issues[1]!.trashed = true
    const left = await sync()
    expect(linear.issues.map(({ title }) => title)).toEqual(['A, as the product says', 'B'])
    expect(left.stderr).toMatch(/^task-\w+ is not changed: ENG-2 is archived or in the trash\n$/)
  },
  LONG,
)

const LIMITED = { errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED' } }] }

test(
  'used-up limits and time-outs are waited for, and a request that was received is not made twice',
  async () => {
    const { repo, linear, sync } = aLinearRepo()
    for (const title of ['A', 'B', 'C']) repo.gza('add', title)
    repo.gza('add', 'D', '--after', '1', '--group', 'Shop', '--milestone', 'M1')
    const reset = String(Date.now() + 300)
    linear.fail('GzaTeam', { kind: 'answer', status: 429, headers: { 'retry-after': '0' } })
    linear.fail('GzaIssues', {
      ...{ kind: 'answer', status: 400, body: LIMITED },
      headers: { 'x-ratelimit-complexity-remaining': '0', 'x-ratelimit-complexity-reset': reset },
    })
    linear.fail('GzaIssueCreate', { kind: 'silence', isDone: true }, { kind: 'answer', status: 502 })
    for (const request of ['Label', 'Project', 'Milestone', 'Relation'])
      linear.fail(`Gza${request}Create`, { kind: 'silence', isDone: true })
    expect(await sync()).toMatchObject({ code: 0, stderr: '' })
    expect(linear.issues.map(({ title }) => title)).toEqual(['A', 'B', 'C', 'D'])
    expect(linear.relations.length).toBe(1)
    expect(view(repo, '1').linear_issue_id).toBe(linear.issues[0]?.id)
  },
  LONG,
)

test(
  'a sync that stops halfway keeps what was made, and the next one makes the rest',
  async () => {
    const { repo, linear, sync } = aLinearRepo()
    for (const title of ['A', 'B', 'C']) repo.gza('add', title)
    linear.fail('GzaIssueCreate', { kind: 'silence', isDone: true })
    linear.fail('GzaIssues', { kind: 'answer', status: 200, body: { data: { issues: { nodes: [] } } } })
    // A is received but not answered; asked again it is refused, found, and B meets a limit of an hour.
    const hour = { kind: 'answer', status: 429, headers: { 'retry-after': '3600' } } as const
    linear.fail(
      'GzaIssueCreate',
      { kind: 'answer', status: 400, body: { errors: [{ message: 'Entity already exists' }] } },
      hour,
    )
    const stopped = await sync('--json')
    expect([stopped.code, JSON.parse(stopped.stdout).error]).toEqual([
      1,
      {
        code: 'LINEAR_LIMIT',
        message: 'Linear asks to wait 3600 s: its rate limit is used up (done: 1 issue)',
        hint: 'Run gza linear sync again: what already exists is not created a second time.',
      },
    ])
    expect(view(repo, '1').linear_issue_id).toBe(linear.issues[0]?.id)
    expect((await sync()).stdout).toContain('Created 2 issues')
    expect(linear.issues.map(({ title }) => title)).toEqual(['A', 'B', 'C'])
    expect(linear.violations).toEqual([])
  },
  LONG,
)

test(
  'one refusal does not stop the rest, and is reported',
  async () => {
    const { repo, linear, sync } = aLinearRepo({ estimates: 'notUsed' })
    repo.gza('add', 'A', '--estimated-complexity', 'low')
    repo.gza('add', 'B')
    const body = { errors: [{ message: 'x', extensions: { userPresentableMessage: 'Titles must rhyme' } }] }
    linear.fail('GzaIssueCreate', { kind: 'answer', status: 400, body })
    const partly = await sync()
    expect([partly.code, partly.stderr.replace(/task-\w+/, 'ID')]).toEqual([
      1,
      'ID: create was refused: Titles must rhyme\n',
    ])
    expect((await sync()).code).toBe(0)
    expect(linear.issues.map(({ title, estimate }) => [title, estimate])).toEqual([
      ['B', null],
      ['A', null],
    ])
  },
  LONG,
)

test(
  'without key, team or answer it says what is missing, and agents may not',
  async () => {
    const { repo, linear, sync } = aLinearRepo()
    repo.gza('add', 'A')
    const refusal = async (env: Record<string, string | undefined>) => {
      const { code, stdout } = await repo.withEnv(env).start(['gza', 'linear', 'sync', '--json'])
      return [code, JSON.parse(stdout).error.code]
    }
    expect(await refusal({ LINEAR_API_KEY: undefined })).toEqual([1, 'LINEAR_KEY'])
    expect(await refusal({ LINEAR_API_KEY: 'lin_api_other' })).toEqual([1, 'LINEAR_KEY_REFUSED'])
    expect(await refusal({ LINEAR_API_URL: 'http://linear.example.com' })).toEqual([1, 'LINEAR_URL'])
    expect(await refusal({ GZA_AGENT: 'claude-code' })).toEqual([1, 'AGENT_MODE'])
    repo.write('gza.yaml', CONFIG.replace('ENG', 'OPS'))
    expect(JSON.parse((await sync('--json')).stdout).error.code).toBe('LINEAR_REFUSED')
    repo.write('gza.yaml', '')
    expect(JSON.parse((await sync('--json')).stdout).error.code).toBe('LINEAR_OFF')
    linear.stop()
    repo.write('gza.yaml', CONFIG)
    expect(JSON.parse((await sync('--json')).stdout).error.code).toBe('LINEAR_SILENT')
  },
  LONG,
)

test(
  'a label or a parent that is refused does not cost the issue, and goes over as soon as it can be had',
  async () => {
    const { repo, linear, sync } = aLinearRepo()
    repo.gza('add', 'Parent')
    repo.gza('add', 'Child', '--parent', '1', '--group', 'Shop')
    repo.gza('add', 'Other', '--after', '1')
    const no = { kind: 'answer', status: 400, body: { errors: [{ message: 'no' }] } } as const
    linear.fail('GzaLabelCreate', no)
    linear.fail('GzaIssueCreate', no)
    expect((await sync()).code).toBe(1)
    expect(linear.issues).toMatchObject([{ title: 'Child', parent: null, labels: [] }, { title: 'Other' }])
    expect(linear.relations).toEqual([])
    expect(await sync()).toMatchObject({ code: 0, stderr: '' })
    const [child, other, parent] = linear.issues
    expect(child).toMatchObject({ title: 'Child', parent: parent?.id, labels: ['Shop'] })
    expect(linear.relations).toMatchObject([{ blocker: parent?.id, blocked: other?.id }])
    expect(linear.violations).toEqual([])
  },
  LONG,
)

test(
  'more issues than one answer holds are found again',
  async () => {
    const { repo, linear, sync } = aLinearRepo()
    const lines = Array.from({ length: 60 }, (_, at) => JSON.stringify({ content: `Step ${at}` })).join('\n')
    repo.run(['gza', 'import', '-'], { stdin: lines })
    expect((await sync()).stdout).toEndWith('Created 60 issues in ENG, updated 0, pulled 0\n')
    rmSync(join(repo.dir, '.git', 'gza'), { recursive: true })
    linear.requests.splice(0)
    expect((await sync()).stdout).toBe('Created 0 issues in ENG, updated 0, pulled 0\n')
    expect(new Set(linear.requests)).toEqual(new Set(['GzaTeam', 'GzaIssues']))
  },
  LONG,
)

test(
  'a run does not wait for Linear, and its agent does not get the key',
  async () => {
    const linear = keepLinear(aLinear())
    linear.fail('GzaTeam', { kind: 'silence', isDone: false })
    const agentRepo = anAgentRepo(
      { else: 'echo "$LINEAR_API_KEY." > key && git add key && git commit -qm key' },
      {
        env: { LINEAR_API_KEY: KEY, LINEAR_API_URL: linear.url },
        config: { integrations: { linear: { enabled: true, team_id: 'ENG' } } },
      },
    )
    const number = agentRepo.add('Write the key')
    expect((await agentRepo.start(['gza', 'work'])).code).toBe(0)
    const { status, branch } = agentRepo.task(number)
    expect([status, agentRepo.git('show', `${branch}:key`), linear.requests]).toEqual(['completed', '.', []])
  },
  LONG,
)
