import { expect, test } from 'bun:test'
import type { PromptPreview } from '../../../src/runs/preview-prompt.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'

/** Finds the path of the text that the prompt asks for. */
const OUTPUT = `output=$(grep -o -m1 '[.]gza/[a-z]*/[^ :]*md' <<<"$prompt"); mkdir -p "$(dirname "$output")"`
const ACTS = {
  look: `${OUTPUT}; echo "The cache is in src/cache.ts" >"$output"`,
  design: `${OUTPUT}; echo "Step 1: measure" >"$output"`,
  ground:
    'save src/ground.ts a; git add .; git commit -qm "Add the floor"; git tasks note "$task" "use ground() first"',
  else: 'echo a >>a.txt; git add .; git commit -qm work',
}

const STANDS = ['--accept', 'it stands']

const promptOf = (repo: AgentRepo, title: string): string =>
  repo.calls().findLast((call) => call.title === title)?.prompt ?? ''

function preview(repo: AgentRepo, ...args: string[]): PromptPreview {
  return JSON.parse(repo.gza('prompt', ...args, '--json').stdout)
}

test('what an exploration found and a plan decided reaches every later task whole, and what a dependency did too', () => {
  const repo = anAgentRepo(ACTS)
  const look = repo.add('look', '--type', 'explore')
  const plan = repo.add('design', '--type', 'plan', '--based-on', look)
  const ground = repo.add('ground', '--based-on', plan)
  repo.add('build', '--based-on', ground, ...STANDS)
  repo.gza('note', '4', 'the roof comes later')
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(promptOf(repo, 'design')).toContain('The cache is in src/cache.ts')
  expect(promptOf(repo, 'ground')).toContain('Step 1: measure')
  const last = promptOf(repo, 'build')
  const told = ['The cache is in src/cache.ts', 'Step 1: measure', 'Add the floor', '- src/ground.ts']
  const own = ['Its last note: use ground() first', 'it stands', 'Test: the roof comes later']
  expect([...told, ...own].filter((text) => !last.includes(text))).toEqual([])
})

test('gza prompt prints exactly what the agent gets, starts nothing, and counts each part', () => {
  const repo = anAgentRepo(ACTS)
  const look = repo.add('look', '--type', 'explore')
  expect(repo.gza('work').code).toBe(0)
  repo.add('build', '--based-on', look)
  const shown = repo.gza('prompt', '2')
  const whole = preview(repo, '2')
  const [total, ...counts] = [...shown.stderr.matchAll(/(?:about|^) *(\d+)/gm)].map(([, count]) => Number(count))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(total))
  expect(shown.stderr).toMatch(/^For scripted, about \d+ tokens:\n +\d+ {2}instructions\n +\d+ {2}task task-/)
  expect(shown.stderr).toContain('explore task-')
  expect(whole.parts.reduce((sum, part) => sum + part.estimated_tokens, 0)).toBeLessThanOrEqual(whole.estimated_tokens)
  expect([repo.calls().length, repo.worktrees()]).toEqual([1, []])
  expect(repo.gza('work').code).toBe(0)
  expect(promptOf(repo, 'build').trimEnd()).toBe(shown.stdout.trimEnd())
  expect(whole.prompt.trimEnd()).toBe(shown.stdout.trimEnd())
})

test('the prompts of a review, of an improvement and of git tasks run can be shown too', () => {
  const repo = anAgentRepo(ACTS)
  repo.add('build', ...STANDS)
  const early = repo.gza('prompt', '1', '--phase', 'review')
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('Task #1 has no branch with work yet')])
  expect(repo.gza('work').code).toBe(0)
  expect(preview(repo, '1', '--phase', 'review').prompt).toMatch(/^You are reviewing[\s\S]*it stands[\s\S]*\+a\n/)
  expect(repo.gza('prompt', '1', '--phase', 'improve').stderr).toContain('no review of its own')
  expect(repo.tasks('prompt', '1', '--phase', 'run').stdout).toMatch(/^You are working on task task-\w+: build\n/)
  expect(repo.gza('prompt', '1', '--phase', 'lunch').code).toBe(2)
  expect(repo.gza('prompt', '9').code).toBe(1)
})

test('a review task sees the task that it judges, and an improvement only the last review, a guide and the notes', () => {
  const count = 'n=$(cat "$beside/n" 2>/dev/null || echo 1); echo $((n + 1)) >"$beside/n"'
  const review = `${OUTPUT}; ${count}; printf 'Point %s\\n\\n**Verdict: CHANGES_REQUESTED**\\n' "$n" >"$output"`
  const repo = anAgentRepo({ 'Review\\ build': review, else: ACTS.else })
  repo.add('build', ...STANDS)
  expect(repo.gza('work').code).toBe(0)
  repo.gza('note', '1', 'mind the rain')
  expect(repo.gza('improve', '1').stderr).toContain('no review to act on')
  repo.gza('review', '1')
  repo.gza('review', '1')
  expect(promptOf(repo, 'Review build')).toMatch(/whose work you judge ---\nbuild\n\nIt is accepted when:\n- it stands/)
  expect(repo.gza('improve', '1', 'look at the door').code).toBe(0)
  const improve = promptOf(repo, 'Improve build')
  const parts = ['look at the door', 'whose work you improve', 'mind the rain', 'Point 2']
  expect(parts.filter((text) => !improve.includes(text))).toEqual([])
  expect(improve).not.toContain('Point 1')
  // With a guide no review is needed.
  const alone = repo.add('alone')
  repo.gza('work', alone)
  expect(repo.gza('improve', alone, 'shorter').code).toBe(0)
})
