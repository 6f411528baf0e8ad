import { expect, test } from 'bun:test'
import { anAgentRepo } from '../support/scripted-agent.ts'

const PLAN = ['# The plan', '', '1. Write it', '2. Test it'].join('\n')

test('what a plain command prints is its plan or exploration, if it writes no file', () => {
  const print = `printf '\\033[1mThinking\\033[0m\\n%s\\n' '${PLAN}'; echo "a warning" >&2`
  const acts = { printed: print, remark: 'echo "All done."' }
  const repo = anAgentRepo(acts, { defaults: { max_attempts: 1 } })
  repo.add('printed', '--type', 'plan')
  repo.add('printed', '--type', 'explore')
  repo.add('remark', '--type', 'plan')
  repo.gza('work', '--all')
  for (const ref of ['1', '2']) {
    expect(repo.task(ref)).toMatchObject({ status: 'completed' })
    const { stdout } = repo.gza('show', ref, '--text')
    expect(stdout).toContain(`Thinking\n${PLAN}`)
    expect(stdout).not.toContain('a warning')
  }
  // A remark is not a plan.
  expect(repo.task('3').runs).toMatchObject([{ reason: 'no-artifact' }])
})
