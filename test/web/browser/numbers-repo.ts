import { commitFiles } from '../../support/handmade-commits.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'

/**
 * A repository with a past: runs of two agents and three models on several days, which another machine has recorded,
 * with known and unknown costs. Budgets are set. Three more tasks are finished here, and one of them breaks the checks.
 */
export function aPastRepo(): AgentRepo {
  const repo = anAgentRepo({ 'Take*': 'echo "thinking"; for i in $(seq 1200); do sleep 0.1; done' }, PAST)
  for (const title of ['Write the parser', 'Write the lexer', 'Fix the <b>printer</b>', 'Explore the formats'])
    repo.add(title)
  for (const title of ['one', 'two', 'three', 'Take long']) repo.add(title)
  for (const number of ['5', '6', '7']) repo.gza('work', number)
  commitFiles(repo, { 'tasks.jsonl': (text) => withPast(text) })
  // The tree is red with the work of two, and each check waits until it may end.
  const beside = repo.beside('')
  const gate = `echo >>${beside}/checks; n=$(wc -l <${beside}/checks); until test -e ${beside}/open-$n; do sleep 0.05; done`
  repo.commit('configure', {
    'gza.yaml': `${repo.run(['cat', 'gza.yaml']).stdout}verify: ${JSON.stringify({ command: `${gate}; ! test -e two.txt` })}\n`,
  })
  return repo
}

const PAST = { config: { budgets: { day_usd: 20, task_usd: 5 } } }

const DAY = 86_400_000

interface PastRun {
  task: number
  agent: string
  model?: string
  daysAgo: number
  minutes: number
  outcome: 'completed' | 'failed'
  cost?: number
  tokens?: [input: number, output: number]
  verify?: number
}

const RUNS: readonly PastRun[] = [
  {
    task: 1,
    agent: 'claude',
    model: 'opus',
    daysAgo: 12,
    minutes: 14,
    outcome: 'failed',
    cost: 1.9,
    tokens: [410_000, 9_000],
  },
  {
    task: 1,
    agent: 'claude',
    model: 'opus',
    daysAgo: 11,
    minutes: 22,
    outcome: 'completed',
    cost: 2.75,
    tokens: [620_000, 14_000],
    verify: 180,
  },
  {
    task: 2,
    agent: 'claude',
    model: 'sonnet',
    daysAgo: 4,
    minutes: 9,
    outcome: 'completed',
    cost: 0.62,
    tokens: [240_000, 6_500],
    verify: 60,
  },
  { task: 3, agent: 'codex', model: 'gpt', daysAgo: 2, minutes: 11, outcome: 'failed', tokens: [180_000, 4_000] },
  {
    task: 3,
    agent: 'codex',
    model: 'gpt',
    daysAgo: 1,
    minutes: 17,
    outcome: 'completed',
    tokens: [205_000, 5_200],
    verify: 90,
  },
]

function withPast(lines: string): string {
  const noon = new Date()
  noon.setHours(12, 0, 0, 0)
  const at = (daysAgo: number, minutes: number) =>
    new Date(noon.getTime() - daysAgo * DAY + minutes * 60_000).toISOString().replace('.000Z', 'Z')
  const past = (number: number) => RUNS.filter(({ task }) => task === number)
  const rewritten = lines
    .trimEnd()
    .split('\n')
    .map((line) => {
      const task = JSON.parse(line) as { number: number; created_at: string }
      const runs = past(task.number).map(
        ({ agent, model, daysAgo, minutes, outcome, cost, tokens, verify }, index) => ({
          ...{ run: `past-${task.number}-${index}`, attempt: index + 1, machine: 'elsewhere', agent, model, outcome },
          ...{ started_at: at(daysAgo, 0), ended_at: at(daysAgo, minutes), cost_usd: cost ?? 0 },
          ...{ tokens_in: tokens?.[0] ?? 0, tokens_out: tokens?.[1] ?? 0, verify_seconds: verify },
        }),
      )
      return runs.length === 0 ? line : JSON.stringify({ ...task, runs })
    })
  return `${rewritten.join('\n')}\n`
}
