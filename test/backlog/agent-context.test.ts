import { expect, test } from 'bun:test'
import { AGENT_GUIDE } from '../../src/core/client-setup/agent-guide.ts'
import { aRepo } from '../support/repo.ts'

test('gza context prints the tasks around the work, bounded, and a run is given them too', () => {
  const repo = aRepo()
  const agent = `#!/bin/sh\nprintf '%s' "$1" > "$PROMPT_FILE"\necho done > made.txt\ngit add made.txt\ngit commit -qm made\n`
  repo.commit('first', { 'gza.yaml': `agents:\n  scribe:\n    command: sh ${repo.dir}/agent.sh\n`, 'agent.sh': agent })
  repo.gza('add', 'Auth', '--plan-file', 'plan.md')
  repo.gza('add', 'Task 1: Add user model', '--parent', '1')
  repo.gza('add', 'Task 2: Add login endpoint', '--parent', '1', '--assigned-agent', 'scribe')
  repo.gza('add', 'Task 3: the secret is in the text', '--parent', '1')
  repo.gza('edit', '4', '--content', 'Task 3: Add JWT middleware\n\nhunter2')
  repo.gza('done', '2')
  repo.gza('add', 'Spec review', '--parent', '3')
  const [, , , third, step] = JSON.parse(repo.gza('list', '--all', '--json').stdout) as { id: string }[]
  const list = `## Current Tasks
- [x] Task 1: Add user model (completed)
- [ ] Task 2: Add login endpoint (@scribe, in spec review)  <-- current
- [ ] Task 3: Add JWT middleware (pending)

In this order: #2, #3, #4

Part of: Auth
Plan: plan.md
`
  const next = (ref: number, what: string) => `
## Next
Take ${what}. It can start now.
- \`gza claim ${ref}\` takes it; then do it and commit
- \`gza note ${ref} "…"\` writes down what the next agent must know
- \`gza done ${ref}\` closes it
- \`gza next\` lists the tasks that can start now
`
  const markdown = list + next(4, `task #4 (${third?.id}): Task 3: Add JWT middleware`)
  expect(repo.gza('context').stdout).toBe(markdown)
  expect(repo.gza('context', '--plan', 'plan.md').stdout).toBe(list + next(5, `task #5 (${step?.id}): Spec review`))
  expect(JSON.parse(repo.gza('context', '--hook').stdout)).toEqual({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: `${AGENT_GUIDE}\n${markdown}` },
  })
  const short = JSON.parse(repo.gza('context', '--max-tokens', '50', '--json').stdout)
  expect(short.tasks.map(({ title }: { title: string }) => title)).toEqual(['Task 2: Add login endpoint'])
  expect(short.omitted).toBe(2)
  expect(repo.gza('context', '--task', '4').stdout).toContain('- [ ] Task 3: Add JWT middleware (pending)  <-- current')

  repo.gza('delete', '5')
  const prompt = `${repo.dir}/../prompt.txt`
  const ran = repo.withEnv({ GZA_TRUST: '1', PROMPT_FILE: prompt }).gza('work', '3')
  expect(ran.code).toBe(0)
  const told = repo.run(['cat', prompt]).stdout
  expect(told).toContain('- [ ] Task 2: Add login endpoint (@scribe, active)  <-- current\n')
  expect(told).toContain('- [ ] Task 3: Add JWT middleware (pending)\n')
  expect(told).not.toContain('hunter2')
})
