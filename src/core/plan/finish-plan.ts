import { cutTitle } from '../plan-fields/cut-title.ts'
import { addFileDependencies } from './file-dependencies.ts'
import { findPlanCycles } from './find-plan-cycles.ts'
import { nameMilestones } from './name-milestones.ts'
import { nameTasks } from './name-tasks.ts'
import type { Plan, PlannedTask, RawPlan, RawTask } from './plan-model.ts'
import { resolveDependencies } from './resolve-dependencies.ts'

/** The plan with keys, milestones and dependencies resolved, and all its problems. */
export function finishPlan(raw: RawPlan): Plan {
  const { milestones, places, problems: badMilestones } = nameMilestones(raw)
  const { names, problems: badNames } = nameTasks({ ...raw, milestones, places })
  const resolved = resolveDependencies({ tasks: raw.tasks, names, milestones, places, orders: raw.orders ?? [] })
  const tasks = raw.tasks.map((task, at): PlannedTask => {
    const place = places[at] ?? null
    return {
      ...fieldsOf(task),
      ...(names[at] ?? { key: '', keyKind: 'counted' }),
      parent: task.parent === null ? null : (names[task.parent]?.key ?? null),
      milestone: place === null ? null : (milestones[place]?.id ?? null),
      done: task.done,
      skipped: task.skipped ?? false,
      dependencies: [...(resolved.waits[at] ?? [])].map((other) => ({
        key: names[other]?.key ?? '',
        kind: 'explicit',
      })),
      outside: resolved.outside[at] ?? [],
      line: task.line,
    }
  })
  const problems = [...raw.problems, ...badMilestones, ...badNames, ...resolved.problems]
  const warnings = [...raw.warnings, ...resolved.warnings]
  // If a key means two tasks, dependencies on it mean nothing.
  if (badNames.length === 0) {
    warnings.push(...addFileDependencies(tasks))
    problems.push(...findPlanCycles(tasks))
  }
  return {
    title: raw.title,
    description: raw.description,
    acceptance_criteria: raw.acceptance_criteria,
    milestones: milestones.map(({ id, name, description, line }) => ({ id, name, description, line })),
    tasks,
    problems: problems.sort(byLine),
    warnings: warnings.sort(byLine),
  }
}

function byLine(a: { line: number }, b: { line: number }): number {
  return a.line - b.line
}

function fieldsOf(task: RawTask) {
  const {
    body,
    name: _name,
    parent: _parent,
    milestone: _milestone,
    milestoneName: _field,
    waitsFor: _waits,
    local: _local,
    ...rest
  } = task
  const content = body === '' ? task.title : `${task.title}\n\n${body}`
  return { ...rest, title: cutTitle(task.title), content: content.toWellFormed() }
}
