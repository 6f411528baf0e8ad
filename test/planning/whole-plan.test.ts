import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Simulation } from '../../src/scheduler/simulate-work.ts'
import type { TaskView } from '../../src/workspace/views/views.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'

const PLAN = readFileSync(join(import.meta.dir, 'bookings.md'), 'utf8')

/** T33 changes a file of T36, T36 depends on T24, and T24 on T33: no two of them are in one phase. */
const MENDED = PLAN.replace('**Files to modify**: `src/desk/overview.ts`\n', '')

/** Signs each file that its task declares; where that clashes, it keeps what both sides wrote. */
const SIGN = `
files() { sed -n "/^$1:\\$/,/^[^-]/s/^- //p" <<<"$prompt"; }
if grep -q 'could not land' <<<"$prompt"; then
  git merge -q "$(sed -n 's/.*(git merge \\([0-9a-f]*\\)).*/\\1/p' <<<"$prompt")" >/dev/null 2>&1
  git diff --name-only --diff-filter=U | xargs -r sed -i '/^\\(<<<<<<<\\|=======\\|>>>>>>>\\)/d'
  git add --all && git commit -qm "Bring $title together with what is there"
  exit
fi
for file in $(files 'Files to create') $(files 'Files to modify') $(files 'Test files'); do
  mkdir -p "$(dirname "$file")" && printf '%s\\n' "$title" >>"$file"
done
git add --all && git commit -qm "$title"
`

test('a plan of 40 tasks with a hidden dependency cycle is mended, imported, split, scheduled, worked off and landed', () => {
  const config = { land: 'squash', verify: { command: 'test -f gza.yaml' } }
  const repo = anAgentRepo({ else: SIGN }, { config, files: { 'docs/plan.md': PLAN } })

  expectLoopRefused(repo)
  repo.commit('Mend the plan', { 'docs/plan.md': MENDED })
  const tasks = importPlan(repo)
  expectSchedule(repo, tasks.filter(({ children }) => children.length === 0).length)

  const { code, stdout } = repo.run(['gza', 'work', '--all', '--workers', '4'])
  expect([code, repo.inbox()]).toEqual([0, []])
  expect(stdout).toContain('44 tasks, 100% completed\n')
  expectAllLanded(repo, tasks)
  expect(repo.gza('verify').code).toBe(0)
  expect([repo.worktrees(), repo.survivors(), repo.git('status', '--porcelain')]).toEqual([[], [], ''])
}, 300_000)

function expectLoopRefused(repo: AgentRepo): void {
  const { code, stdout, stderr } = repo.gza('plan', 'import', 'docs/plan.md')
  const at = (text: string) => PLAN.slice(0, PLAN.indexOf(text)).split('\n').length
  const [bills, mail, week] = [at('T24: '), at('### T33'), at('| T36')]
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.split('\n')[0]).toBe(
    `Error: docs/plan.md:${bills}: tasks wait for each other: T24 'Reminders of open bills' (line ${bills}) → ` +
      `T33 'Mail templates' (line ${mail}) → (modifies src/desk/overview.ts, created by) ` +
      `T36 'Overview of the week' (line ${week}) → T24`,
  )
  expect(repo.git('for-each-ref', 'refs/tasks')).toBe('')
}

/** The 40 tasks and the parts of those that are too much, without the plan's own. */
function importPlan(repo: AgentRepo): TaskView[] {
  outputOf(repo.gza('plan', 'import', 'docs/plan.md'))
  expect(repo.git('rev-list', '--count', 'refs/tasks/main')).toBe('1')
  const [top, ...tasks] = JSON.parse(outputOf(repo.gza('list', '--all', '--json'))) as [TaskView, ...TaskView[]]
  const parts = tasks.filter(({ key }) => /-[a-z]$/.test(key ?? ''))
  expect([top.title, top.children.length, tasks.length - parts.length]).toEqual([
    'Online bookings for the climbing hall',
    ...[40, 40],
  ])
  expect(parts.map(({ key }) => key)).toEqual(['T11-a', 'T11-b', 'T11-c', 'T26-a', 'T26-b', 'T26-c'])
  expect(tasks.slice(10, 14).map(({ key, number }) => `${key} #${number}`)).toEqual([
    ...['T11 #12', 'T11-a #13', 'T11-b #14', 'T11-c #15'],
  ])
  return tasks
}

function expectSchedule(repo: AgentRepo, count: number): void {
  expect(outputOf(repo.gza('simulate', '--workers', '4'))).toContain('\ncritical path, ')
  const simulation = JSON.parse(outputOf(repo.gza('simulate', '--workers', '4', '--json'))) as Simulation
  const { schedule, schedules, critical_path, not_run } = simulation
  expect([schedule.length, not_run]).toEqual([count, []])
  const [alone, , , four] = schedules.map(({ seconds }) => seconds) as [number, number, number, number]
  expect(four).toBeLessThan(alone)
  expect(four).toBeGreaterThanOrEqual(critical_path.seconds)
}

function expectAllLanded(repo: AgentRepo, tasks: readonly TaskView[]): void {
  const after = JSON.parse(outputOf(repo.gza('list', '--all', '--json'))) as TaskView[]
  expect(after.filter(({ status }) => status !== 'completed')).toEqual([])
  for (const { children, landings } of after) {
    const outcomes = landings.toSorted((a, b) => Number(a.n) - Number(b.n)).map(({ outcome }) => outcome)
    expect(outcomes.at(-1)).toBe(children.length === 0 ? 'landed' : undefined)
  }
  const milestones = JSON.parse(outputOf(repo.gza('milestones', '--json'))) as { id: string; status: string }[]
  expect(milestones.map(({ id, status }) => `${id} ${status}`)).toEqual(
    ['M1', 'M2', 'M3', 'M4', 'M5'].map((id) => `${id} completed`),
  )
  expect(filesLacking(repo, tasks)).toEqual([])
}

/** Where main lacks what a task has signed. */
function filesLacking(repo: AgentRepo, tasks: readonly TaskView[]): string[] {
  return tasks
    .filter(({ children }) => children.length === 0)
    .flatMap(({ title, files_to_create, files_to_modify, test_files }) =>
      [...files_to_create, ...files_to_modify, ...test_files]
        .filter((file) => !repo.git('show', `main:${file}`).split('\n').includes(title))
        .map((file) => `${file} lacks '${title}'`),
    )
}
