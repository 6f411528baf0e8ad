import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'

/** One failed task of a group, one that waits for it, one that could start, and one outside of the group. */
function aborted(): AgentRepo {
  const repo = anAgentRepo({ one: 'exit 1' }, { defaults: { max_attempts: 1 } })
  repo.add('one', '--group', 'g', '--priority', 'high')
  repo.gza('work', '1')
  repo.add('two', '--group', 'g', '--after', '1')
  repo.add('three', '--group', 'g')
  repo.add('four')
  const [one, two, three] = ['1', '2', '3'].map((ref) => `#${ref} ${repo.task(ref).id}: on hold\n`)
  expect(outputOf(repo.gza('resolve', '1', '--abort'))).toBe(`${one}${two}${three}`)
  return repo
}

test('every list marks the tasks that an abort has put on hold', () => {
  const repo = aborted()
  const [one, two, three, four] = ['1', '2', '3', '4'].map((ref) => repo.task(ref).id)
  expect(outputOf(repo.gza('list'))).toBe(
    `#1 ${one}: one (failed, on hold)\n#2 ${two}: two (blocked by #1, on hold)\n#3 ${three}: three (on hold)\n#4 ${four}: four\n`,
  )
  expect(outputOf(repo.gza('ready'))).toBe(
    `#4 ${four}: four\n(#2 ${two} blocked by #1, on hold)\n(#3 ${three} on hold)\n`,
  )
  expect(outputOf(repo.gza('next'))).toBe(
    '4. [task] four\n\n(1 task blocked by dependencies)\n(1 task waits for a person)\n',
  )
  expect(outputOf(repo.gza('next', '--all'))).toBe(
    '2. [task] two (blocked by #1, on hold)\n3. [task] three (on hold)\n4. [task] four\n',
  )
  expect(outputOf(repo.gza('status'))).toMatch(/1\. one +failed \(on hold\)\n.*two +pending \(blocked by #1, on hold\)/)
  expect(outputOf(repo.gza('tree'))).toContain('[ ] three (on hold)\n')
  expect(outputOf(repo.gza('show', '3'))).toContain('status: pending (on hold)\n')
  expect(outputOf(repo.gza('watch'))).toContain('three (on hold)')
  expect(repo.inbox()[0]?.commands[0]).toBe('gza resolve 1 --resume')
  expect(repo.gza('work', '3').stderr).toContain('gza resolve 3 --resume')
})

test('graph, groups, milestones, agents, todo, context and pr mark tasks on hold too', () => {
  const repo = aborted()
  repo.write('TODO.md', '- [ ] five\n')
  outputOf(repo.gza('agents', 'add', 'bob'))
  outputOf(repo.gza('assign', '3', 'bob'))
  outputOf(repo.gza('edit', '3', '--milestone', 'M1'))
  outputOf(repo.gza('todo', 'start', '1'))
  outputOf(repo.gza('resolve', '5', '--abort'))
  expect(outputOf(repo.gza('graph'))).toContain('○ #3 three (on hold)\n')
  expect(outputOf(repo.gza('graph', '--mermaid'))).toContain('["#35;3 three (on hold)"]')
  expect(outputOf(repo.gza('groups'))).toMatch(/^g +3 tasks \(2 pending, 1 failed, 3 on hold\)$/m)
  expect(outputOf(repo.gza('groups'))).toMatch(/^\(ungrouped\) .*\(.* on hold\)$/m)
  expect(outputOf(repo.gza('milestones'))).toMatch(/^M1 .* 1 on hold$/m)
  expect(outputOf(repo.gza('agents'))).toMatch(/^@bob +blocked .* #3 three \(task #3 is on hold\)$/m)
  expect(outputOf(repo.gza('todo'))).toContain('[ ] five (#5 pending, on hold)\n')
  expect(outputOf(repo.gza('context'))).toContain('- [ ] two (blocked, on hold)\n')
  expect(outputOf(repo.gza('pr'))).toContain(': three (on hold)\n')
})

test('a skipped task is shown as skipped, not as done, also after an export and an import', () => {
  const repo = anAgentRepo({})
  repo.add('one')
  repo.add('two')
  repo.add('three')
  outputOf(repo.gza('resolve', '1', '--skip'))
  outputOf(repo.gza('done', '2'))
  expect(outputOf(repo.gza('tree', '--all'))).toMatch(/^\[-\] one \(skipped\)\n\[x\] two\n\[ \] three/)
  expect(outputOf(repo.gza('context'))).toContain('- [-] one (skipped)\n- [x] two (completed)\n')
  const list = outputOf(repo.gza('export', '--markdown'))
  expect(list).toBe('- [-] one\n- [x] two\n- [ ] three\n')
  repo.write('list.md', list)
  const other = repo.clone()
  outputOf(other.gza('import', join(repo.dir, 'list.md')))
  expect(outputOf(other.gza('export', '--markdown'))).toBe(list)
})

test('--reset counts attempts anew and says what is still on hold; --resume lifts the hold of the whole workflow', () => {
  const repo = aborted()
  const ids = ['1', '2', '3'].map((ref) => repo.task(ref).id)
  expect(repo.gza('resolve', '1', '--reset')).toEqual({
    code: 0,
    stdout: `#1 ${ids[0]}: pending, on hold\n`,
    stderr: 'Warning: Still on hold: #1, #2, #3. gza resolve 1 --resume resumes the workflow.\n',
  })
  expect(repo.why('1')).toBe('ON_HOLD')
  outputOf(repo.gza('work', '--all'))
  expect(repo.statuses()).toEqual({ one: 'pending', two: 'blocked', three: 'pending', four: 'completed' })

  expect(outputOf(repo.gza('resolve', '1', '--fixed'))).toBe(`#1 ${ids[0]}: completed\n`)
  expect(outputOf(repo.gza('resolve', '1', '--resume'))).toBe(`#2 ${ids[1]}: pending\n#3 ${ids[2]}: pending\n`)
  outputOf(repo.gza('work', '--all'))
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed', three: 'completed', four: 'completed' })
  expect(repo.gza('resolve', '4', '--resume')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Neither task #4 nor its workflow is on hold'),
  })
  expect(repo.withEnv({ GZA_AGENT: 'x' }).gza('resolve', '2', '--resume').code).toBe(1)
  expect(repo.gza('verify').code).toBe(0)
})
