import type { NameKind } from '../../workspace/branches/branch-names.ts'
import type { Fit } from '../../workspace/search/fitting-tasks.ts'
import type { CallContext } from '../call-context.ts'

/** The kinds of flags and arguments that commands have. */

export function toggle(brief: string) {
  return { kind: 'boolean', brief, default: false, withNegated: false } as const
}

/** A switch with three states: on, off (its own `no-` flag) and not given. */
export function maybe(brief: string) {
  return { kind: 'boolean', brief, optional: true, withNegated: false } as const
}

export function text(placeholder: string, brief: string) {
  return { kind: 'parsed', parse: String, placeholder, brief, optional: true } as const
}

export function count(placeholder: string, brief: string) {
  return { kind: 'parsed', parse: parseCount, placeholder, brief, optional: true } as const
}

/** A number that may be 0. */
export function natural(placeholder: string, brief: string) {
  return { kind: 'parsed', parse: parseNatural, placeholder, brief, optional: true } as const
}

/** A length of time. 0 and fractions are allowed. */
export function seconds(brief: string) {
  return { kind: 'parsed', parse: parseSeconds, placeholder: 'SECONDS', brief, optional: true } as const
}

/** A length of time in minutes, more than 0. */
export function minutes(brief: string) {
  return { kind: 'parsed', parse: parseMinutes, placeholder: 'MINUTES', brief, optional: true } as const
}

/** A length of time in hours. 0 and fractions are allowed. */
export function hours(brief: string) {
  return { kind: 'parsed', parse: parseHours, placeholder: 'HOURS', brief, optional: true } as const
}

/** One of a list of words. The use case checks it, because it accepts any case and synonyms. */
export function choice(placeholder: string, values: readonly string[], brief: string) {
  return { ...text(placeholder, brief), values, proposeCompletions: () => values }
}

/** Exactly one of a list of words. */
export function exactly<T extends string>(placeholder: string, values: readonly T[], brief: string) {
  return { kind: 'enum', values, placeholder, brief, optional: true } as const
}

/** Can be repeated. Commas are part of the value. */
export function texts(placeholder: string, brief: string) {
  return { kind: 'parsed', parse: String, placeholder, brief, optional: true, variadic: true } as const
}

/** Can be repeated. A value can be a list with commas. */
export function list(placeholder: string, brief: string) {
  return { kind: 'parsed', parse: trim, placeholder, brief, optional: true, variadic: ',' } as const
}

export function taskList(brief: string) {
  return { ...list('ID', brief), proposeCompletions: proposeTasks('open') }
}

export function taskFlag(brief: string) {
  return { ...text('ID', brief), proposeCompletions: proposeTasks('open') }
}

/** The name of a branch, or of a ledger or an archived ledger, which the completion proposes. */
export function branchFlag(placeholder: string, brief: string, kind: NameKind = 'branches') {
  function proposeCompletions(this: CallContext): Promise<readonly string[]> {
    return import('./propose-task-names.ts').then(({ proposeBranches }) => proposeBranches(this, kind))
  }
  return { ...text(placeholder, brief), proposeCompletions }
}

/** The name of a saved filter. */
export function viewFlag(brief: string) {
  return { ...text('VIEW', brief), proposeCompletions: proposeSavedViews }
}

export function viewArgument(brief: string) {
  return { ...argument('VIEW', brief), proposeCompletions: proposeSavedViews }
}

/** A task. The completion proposes those that fit the command. */
export function taskArgument(brief: string, fit: Fit) {
  return { parse: String, placeholder: 'ID', brief, proposeCompletions: proposeTasks(fit) } as const
}

export function argument(placeholder: string, brief: string) {
  return { parse: String, placeholder, brief } as const
}

/** One of a list of words. The command checks it. */
export function wordArgument(placeholder: string, values: readonly string[], brief: string) {
  return { ...argument(placeholder, brief), proposeCompletions: () => values }
}

export function optional<T extends object>(parameter: T): T & { optional: true } {
  return { ...parameter, optional: true }
}

// Functions that are not async: from the ninth async one on, the runtime takes a heap block of 16 KB for them.
function proposeTasks(fit: Fit) {
  return function propose(this: CallContext, partial: string): Promise<readonly string[]> {
    return import('./propose-task-names.ts').then(({ proposeTaskNames }) => proposeTaskNames(this, fit, partial))
  }
}

function proposeSavedViews(this: CallContext): Promise<readonly string[]> {
  return import('./propose-task-names.ts').then(({ proposeViews }) => proposeViews(this))
}

function trim(value: string): string {
  return value.trim()
}

function parseCount(value: string): number {
  if (!/^[0-9]{1,9}$/.test(value) || Number(value) < 1) throw new RangeError('it must be a whole number above 0')
  return Number(value)
}

function parseNatural(value: string): number {
  if (!/^[0-9]{1,6}$/.test(value)) throw new RangeError('it must be a whole number')
  return Number(value)
}

function parseSeconds(value: string): number {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(value)) throw new RangeError('it must be a number of seconds, such as 5 or 0.5')
  return Number(value)
}

function parseMinutes(value: string): number {
  const isNumber = /^\d{1,6}(\.\d{1,9})?$/.test(value)
  if (!isNumber || Number(value) === 0)
    throw new RangeError('it must be a number of minutes above 0, such as 30 or 0.5')
  return Number(value)
}

function parseHours(value: string): number {
  if (!/^\d{1,4}(\.\d{1,9})?$/.test(value)) throw new RangeError('it must be a number of hours, such as 8 or 0.5')
  return Number(value)
}
