import type { RawMilestone, RawPlan, RawTask } from '../plan/plan-model.ts'
import { cutTitle } from './cut-title.ts'
import { isMilestoneList, isTaskList, structuredField } from './structured-names.ts'
import { readStructuredTask } from './structured-task.ts'
import { isRecord, type Path, type TextPosition, type Tree } from './structured-tree.ts'

/** A plan in JSON or YAML, already parsed. `positionOf` returns the position of a value in the text. */
export function readStructuredPlan(root: unknown, positionOf: (path: Path) => TextPosition): RawPlan {
  const plan: RawPlan = {
    ...{ title: null, description: '', acceptance_criteria: [] },
    ...{ milestones: [], tasks: [], problems: [], warnings: [] },
  }
  const tree: Tree = { plan, positionOf, unknown: new Map() }
  if (Array.isArray(root)) readTasks(tree, root, { path: [], parent: null, milestone: null })
  else if (isRecord(root)) readRoot(tree, root, [])
  else plan.problems.push({ ...positionOf([]), why: 'a plan is a list of tasks, or an object that holds one' })
  for (const { id, place } of tree.members ?? []) {
    const member = plan.tasks.find(
      ({ name }) => (name.kind === 'given' ? name.key : name.kind === 'numbered' ? name.number : '') === id,
    )
    if (member) member.milestone = place
  }
  for (const [name, { position, count }] of tree.unknown)
    plan.warnings.push({
      ...position,
      why: `unknown field '${name}'${count > 1 ? `, ${count} times` : ''}; it is ignored`,
    })
  return plan
}

function readRoot(tree: Tree, root: Record<string, unknown>, path: Path): void {
  const { plan } = tree
  const lists = Object.keys(root).filter((name) => isMilestoneList(name) || isTaskList(name))
  const [tag, ...others] = lists.length > 0 ? [] : Object.keys(root).filter((name) => isTagged(root[name]))
  if (tag !== undefined) {
    // Task Master keeps a separate list of tasks for each branch of work.
    for (const name of others)
      plan.warnings.push({ ...tree.positionOf([...path, name]), why: `only '${tag}' is imported, not '${name}'` })
    readRoot(tree, root[tag] as Record<string, unknown>, [...path, tag])
    return
  }
  for (const [name, value] of Object.entries(root)) {
    const here = [...path, name]
    const field = structuredField(name)
    if (isMilestoneList(name)) readMilestones(tree, value, here)
    else if (isTaskList(name)) continue
    else if (field === 'title' && typeof value === 'string') plan.title = cutTitle(value)
    else if (field === 'text' && typeof value === 'string') plan.description = value.trim()
    else if (field === 'criteria' && Array.isArray(value)) plan.acceptance_criteria = value.map(String)
    else warnOfList(tree, value, here)
  }
  for (const name of lists.filter(isTaskList))
    readTasks(tree, root[name], { path: [...path, name], parent: null, milestone: null })
}

function isTagged(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).some((name) => isTaskList(name) && typeof value[name] === 'object')
}

function readMilestones(tree: Tree, value: unknown, path: Path): void {
  for (const { name, item, at } of entriesOf(tree, value, path)) {
    const place = tree.plan.milestones.length
    const milestone: RawMilestone = { id: name, name: '', description: '', waitsFor: [], ...tree.positionOf(at) }
    tree.plan.milestones.push(milestone)
    if (typeof item === 'string') milestone.name = item
    else if (isRecord(item)) readMilestone(tree, item, { milestone, place, at })
    else tree.plan.problems.push({ ...tree.positionOf(at), why: 'a milestone is an object with a name and tasks' })
    if (/^\d+$/.test(milestone.id)) milestone.id = `M${milestone.id}`
    milestone.name ||= milestone.id
  }
}

function readMilestone(
  tree: Tree,
  item: Record<string, unknown>,
  { milestone, place, at }: { milestone: RawMilestone; place: number; at: Path },
): void {
  for (const [name, value] of Object.entries(item)) {
    const here = [...at, name]
    switch (structuredField(name)) {
      case 'key':
        if (typeof value === 'string' || typeof value === 'number') milestone.id = String(value)
        break
      case 'title':
        if (typeof value === 'string') milestone.name = value
        break
      case 'text':
        if (typeof value === 'string') milestone.description = value.trim()
        else if (Array.isArray(value) && isTaskList(name))
          readTasks(tree, value, { path: here, parent: null, milestone: place })
        break
      case 'waits':
        for (const text of [value].flat())
          milestone.waitsFor.push({ text: String(text), isKey: true, ...tree.positionOf(here) })
        break
      case 'children':
        if (
          Array.isArray(value) &&
          value.every((id) => typeof id === 'string' || typeof id === 'number') &&
          !isTaskList(name)
        )
          tree.members = [...(tree.members ?? []), ...value.map((id) => ({ id: String(id), place }))]
        else readTasks(tree, value, { path: here, parent: null, milestone: place })
        break
      default:
        warnOfList(tree, value, here)
    }
  }
}

/** Warns of a list that is not a known field but may hold tasks or dependencies. */
function warnOfList({ plan, positionOf }: Tree, value: unknown, path: Path): void {
  const items = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  const isMeant = items.some(isRecord) || structuredField(String(path.at(-1))) === 'waits'
  if (isMeant && items.length > 0)
    plan.warnings.push({
      ...positionOf(path),
      why: `'${path.at(-1)}' is ignored: it is unclear whether these are tasks`,
    })
}

interface Family {
  path: Path
  parent: number | null
  milestone: number | null
}

function readTasks(tree: Tree, value: unknown, family: Family): void {
  if (family.path.length > DEEPEST) {
    tree.plan.problems.push({ ...tree.positionOf(family.path), why: 'tasks are nested too deep' })
    return
  }
  for (const { name, item, at } of entriesOf(tree, value, family.path)) {
    const read = readStructuredTask(tree, item, { at, key: name, parent: family.parent })
    if (read === null) continue
    const place = tree.plan.tasks.length
    const task: RawTask = { ...read.task, parent: family.parent, milestone: family.milestone }
    tree.plan.tasks.push(task)
    if (read.children) readTasks(tree, read.children.value, { ...family, path: read.children.path, parent: place })
  }
}

const DEEPEST = 40

/** The elements of a list, or of an object whose names are their ids. */
function entriesOf(tree: Tree, value: unknown, path: Path): { name: string; item: unknown; at: Path }[] {
  if (Array.isArray(value)) return value.map((item, index) => ({ name: '', item, at: [...path, index] }))
  if (isRecord(value)) return Object.entries(value).map(([name, item]) => ({ name, item, at: [...path, name] }))
  if (value !== null && value !== undefined)
    tree.plan.problems.push({ ...tree.positionOf(path), why: `${path.at(-1)} must be a list` })
  return []
}
