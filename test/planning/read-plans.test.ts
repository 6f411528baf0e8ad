import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan, PlannedTask } from '../../src/core/plan/plan-model.ts'
import { readPlanText } from '../../src/planning/import/read-plan-text.ts'

const PLANS = join(import.meta.dir, 'plans')

/** Plans as people and agents really write them; beside each, what must be understood of it. */
for (const file of readdirSync(PLANS).filter((name) => !name.endsWith('.understood'))) {
  test(`${file} is understood`, async () => {
    const plan = await readPlanText(file, readFileSync(join(PLANS, file), 'utf8'))
    expect(`${describePlan(plan)}\n`).toBe(readFileSync(join(PLANS, `${file}.understood`), 'utf8'))
  })
}

function describePlan(plan: Plan): string {
  const milestones = plan.milestones.map(({ id, name, description }) => `milestone ${id}: ${name} | ${description}`)
  const remarks = [...plan.problems, ...plan.warnings].map(({ line, why }) => `line ${line}: ${why}`)
  return [
    `plan: ${plan.title}`,
    `description: ${JSON.stringify(plan.description)}`,
    ...plan.acceptance_criteria.map((criterion) => `criterion: ${criterion}`),
    ...milestones,
    ...plan.tasks.flatMap(describeTask),
    ...remarks,
  ].join('\n')
}

function describeTask(task: PlannedTask): string[] {
  const { content, title: _title, key, line, milestone, parent, done, dependencies, outside, ...rest } = task
  const fields = Object.entries(rest).filter(
    ([, value]) => value !== false && !(Array.isArray(value) && value.length === 0),
  )
  const waits = dependencies.map((other) => `${other.key} (${other.kind}${other.file ? ` ${other.file}` : ''})`)
  return [
    '',
    `${line} ${key}${parent ? ` of ${parent}` : ''}${milestone ? ` in ${milestone}` : ''}${done ? ' done' : ''}`,
    ...content.split('\n').map((text) => `  | ${text}`.trimEnd()),
    ...fields.map(([name, value]) => `  ${name}: ${Array.isArray(value) ? value.join(' ; ') : value}`),
    ...outside.map(({ name }) => `  after ${name} of the ledger`),
    ...(waits.length > 0 ? [`  after ${waits.join(', ')}`] : []),
  ]
}
