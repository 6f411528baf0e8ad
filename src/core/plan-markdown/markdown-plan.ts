import { finishPlan } from '../plan/finish-plan.ts'
import type { Plan, RawMilestone, RawPlan, RawTask } from '../plan/plan-model.ts'
import { readPriority } from '../plan-fields/field-values.ts'
import { type ReadTask, readFields } from '../plan-fields/read-fields.ts'
import { filesOf } from '../size/complexity.ts'
import type { Priority } from '../task/task.ts'
import { dedent } from '../text/dedent.ts'
import type { Label } from './lines/label.ts'
import type { Outline, Region } from './lines/outline-model.ts'
import { type PlanLine, readPlanLines } from './lines/plan-lines.ts'
import { outlineOf, titleOfItem } from './lines/plan-outline.ts'
import { raiseBoldLines } from './lines/raise-bold-lines.ts'
import { raiseTableRows } from './lines/raise-table-rows.ts'
import { readStatedOrders } from './stated-orders.ts'
import { type Extent, taskExtents } from './task-extents.ts'
import { findTaskStarts } from './task-starts/find-task-starts.ts'
import { readTitleNotes } from './title-notes.ts'

/** Reads a markdown plan. Problems are part of the result: nothing is thrown, whatever the text is. */
export function readPlan(text: string): Plan {
  return finishPlan(readMarkdownPlan(text))
}

/** A markdown plan as people and agents write them: phases, tasks, and the text below each. */
function readMarkdownPlan(text: string): RawPlan {
  const outline = outlineOf(raiseBoldLines(raiseTableRows(readPlanLines(text))))
  const { starts, checked, leftOut } = findTaskStarts(outline)
  const extents = taskExtents(outline, starts)
  const plan: RawPlan = {
    title: outline.title,
    ...readPreface(outline, extents[0]?.first ?? outline.lines.length),
    ...{ milestones: [], tasks: [], problems: [], warnings: leftOut },
    orders: readStatedOrders(outline, new Set(extents.flatMap(({ first, body }) => [first, ...body]))),
  }
  const milestones = readMilestones(outline, extents, plan)
  const isCounting = countingRegions(outline, extents)
  for (const extent of extents) {
    const region = outline.places[extent.first]?.region ?? 0
    const task = readTask(outline, extent, { plan, isCounting: isCounting.has(region) })
    task.milestone = milestones.get(region) ?? null
    const priority = task.priority ?? priorityAbove(outline, extent.first)
    if (priority !== null) task.priority = priority
    task.done ||= checked.has(extent.first)
    const { number } = outline.lines[extent.first] as PlanLine
    const heading = outline.places[extent.first]?.heading ?? -1
    if (isCounting.has(region) && number !== null && extent.parent === null)
      numberLocally(outline, task, { heading, number })
    plan.tasks.push(task)
  }
  adoptByNumber(plan.tasks)
  return plan
}

/** Tasks below `### High priority` have that priority. */
function priorityAbove({ places, labels }: Outline, at: number): Priority | null {
  const title = labels.get(places[at]?.heading ?? -1)?.title ?? ''
  const word = /^(.{2,20}?)(?:\s+priority)?(?:\s+(?:tasks|items))?$/i.exec(title)?.[1] ?? ''
  return readPriority(word)
}

/** Below `### 2. Frontend` the first task is 2.1. */
function numberLocally({ labels }: Outline, task: RawTask, local: { heading: number; number: string }): void {
  task.local = local
  const label = labels.get(local.heading)
  if (task.name.kind === 'counted' && label?.kind === 'outline')
    task.name = { kind: 'numbered', number: `${label.number}.${local.number}`, letter: 'T' }
}

/** Task 2.1 belongs to Task 2, even if both headings have the same level. */
function adoptByNumber(tasks: readonly RawTask[]): void {
  const places = new Map<string, number>()
  for (const [at, task] of tasks.entries()) {
    if (task.name.kind !== 'numbered') continue
    const { number, letter } = task.name
    const above = number.includes('.')
      ? places.get(`${task.milestone} ${letter}${number.replace(/\.[^.]*$/, '')}`)
      : undefined
    if (task.parent === null && above !== undefined) task.parent = above
    places.set(`${task.milestone} ${letter}${number}`, at)
  }
}

function readTask(outline: Outline, extent: Extent, options: { plan: RawPlan; isCounting: boolean }): RawTask {
  const { plan } = options
  const first = outline.lines[extent.first] as PlanLine
  const behind = first.kind === 'item' ? titleOfItem(first.text).rest : ''
  const isAside = /^(?:[[(][^()[\]]*[\])]\s*)+$/.test(behind)
  const rest = isAside ? '' : behind
  const label = outline.labels.get(extent.first) as Label
  const below = extent.body.map((at) => outline.lines[at] as PlanLine)
  const indent = below.find(({ kind }) => kind !== 'blank')?.indent ?? 0
  const more =
    rest === '' ? [] : [{ ...first, kind: 'text' as const, raw: ' '.repeat(indent) + rest, text: rest, indent }]
  const { problems, warnings, ownKey, ...read } = readFields([...more, ...below])
  plan.problems.push(...problems)
  plan.warnings.push(...warnings)
  const { title, waitsFor, priority, files } = readTitleNotes(isAside ? `${label.title} ${behind}` : label.title)
  if (filesOf(read).length === 0) for (const { path, role } of files) read[LISTS[role ?? 'modify']].push(path)
  return {
    ...read,
    ...(read.priority === undefined && priority !== undefined && { priority }),
    title: title.replace(/(?<=\S)\s*:$/, ''),
    name: nameOf(label, { ownKey, number: options.isCounting ? null : first.number }),
    parent: extent.parent,
    milestone: null,
    done: read.done || label.done || first.box === 'checked',
    ...(first.box === 'dropped' && { skipped: true }),
    waitsFor: [...waitsFor.map((text) => ({ text, line: first.line })), ...read.waitsFor],
    line: first.line,
  }
}

const LISTS = { create: 'files_to_create', modify: 'files_to_modify', test: 'test_files' } as const

function nameOf(
  label: Label,
  { ownKey, number }: Pick<ReadTask, 'ownKey'> & { number: string | null },
): RawTask['name'] {
  if (label.kind === 'keyed') return { kind: 'given', key: label.key }
  if (label.kind === 'numbered') return { kind: 'numbered', number: label.number, letter: label.letter }
  if (ownKey !== undefined && !/^\d+$/.test(ownKey)) return { kind: 'given', key: ownKey }
  const counted = label.kind === 'outline' ? label.number : (ownKey ?? number)
  return counted === null ? { kind: 'counted' } : { kind: 'numbered', number: counted, letter: 'T' }
}

/** If a list restarts at 1, or gives every item the same number, its numbers name nothing. */
function countingRegions({ lines, places }: Outline, extents: readonly Extent[]): Set<number> {
  const last = new Map<number, number>()
  const counting = new Set<number>()
  for (const { first } of extents) {
    const { number } = lines[first] as PlanLine
    const region = places[first]?.region ?? 0
    if (number === null) continue
    if (Number(number) <= (last.get(region) ?? -1)) counting.add(region)
    last.set(region, Number(number))
  }
  return counting
}

/** The milestones that have tasks, and for each region the index of its milestone. */
function readMilestones(outline: Outline, extents: readonly Extent[], plan: RawPlan): Map<number, number> {
  const firstTask = new Map<number, number>()
  for (const { first } of extents) {
    const region = outline.places[first]?.region ?? 0
    if (!firstTask.has(region)) firstTask.set(region, first)
  }
  const found = new Map<number, number>()
  for (const [at, region] of outline.regions.entries()) {
    if (region.heading === null) continue
    const line = outline.lines[region.heading]?.line ?? 0
    const first = firstTask.get(at)
    if (first === undefined) {
      if (!region.hasInner) plan.warnings.push({ line, why: `no task was found in '${region.title}'` })
      continue
    }
    found.set(at, plan.milestones.length)
    plan.milestones.push(readMilestone(outline, region as Region & { heading: number }, first))
  }
  return found
}

function readMilestone(outline: Outline, region: Region & { heading: number }, firstTask: number): RawMilestone {
  const start = region.heading + 1
  let end = start
  while (end < firstTask && outline.lines[end]?.kind !== 'heading') end++
  const { waitsFor } = readFields(outline.lines.slice(start, end))
  const line = outline.lines[region.heading]?.line ?? 0
  return {
    id: region.id,
    name: readTitleNotes(region.title).title,
    description: proseFrom(outline.lines, start, end),
    waitsFor,
    line,
  }
}

/** The text before the tasks, and the criteria of the whole plan. */
function readPreface(outline: Outline, firstTask: number): Pick<RawPlan, 'description' | 'acceptance_criteria'> {
  const { lines, titleAt, places, labels } = outline
  const overview = lines.findIndex(({ kind }, at) => kind === 'heading' && OVERVIEW.test(labels.get(at)?.title ?? ''))
  const description = proseFrom(lines, (titleAt ?? -1) + 1, firstTask) || proseFrom(lines, overview + 1, firstTask)
  const isCriteria = (at: number) => CRITERIA.test(labels.get(at)?.title ?? '')
  const acceptance_criteria = lines
    .filter(({ kind }, at) => kind === 'item' && places[at]?.region === 0 && isCriteria(places[at]?.heading ?? -1))
    .map(({ text }) => text)
  return { description, acceptance_criteria }
}

/** The lines up to the next heading. */
function proseFrom(lines: readonly PlanLine[], start: number, last: number): string {
  let end = start
  while (end < last && lines[end]?.kind !== 'heading') end++
  const prose = lines.slice(start, end).filter(({ kind }) => kind !== 'table')
  const text = dedent(prose.map(({ kind, raw }) => (kind === 'rule' ? '' : raw.trimEnd())))
  return text.replace(/\n*^\*{0,2}(?:tasks|steps|todos?):?\*{0,2}:?$/im, '').trimEnd()
}

const OVERVIEW = /^(?:overview|summary|goals?|introduction|context|objective)$/i

const CRITERIA = /^(?:acceptance criteria|success criteria|definition of done)$/i
