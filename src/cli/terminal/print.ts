import { printableJson } from '../../core/text/printable.ts'
import type { CallContext, GlobalFlags } from '../call-context.ts'
import type { ProgramName } from './display.ts'
import type { Output } from './output.ts'

/** Prints a result: as JSON with --json, otherwise as the given lines. */
export function printResult(context: CallContext, flags: GlobalFlags, value: unknown, lines: Iterable<string>): void {
  if (flags.json) printJson(context.out, value, context.display.name)
  else printLines(context.out, lines)
}

/** Prints the lines and returns their number. */
export function printLines(output: Pick<Output, 'write'>, lines: Iterable<string>): number {
  let count = 0
  for (const line of lines) {
    output.write(`${line}\n`)
    count++
  }
  return count
}

/** One line, or for a list one line for each element, so that large lists need no second copy in memory. */
function printJson(output: Output, value: unknown, program: ProgramName): void {
  if (!Array.isArray(value)) {
    output.write(`${toJson(shapeFor(program, value))}\n`)
    return
  }
  printJsonList(output, value, program)
}

export function printJsonList(output: Pick<Output, 'write'>, elements: Iterable<unknown>, program: ProgramName): void {
  const list = openJsonList(output, program)
  for (const element of elements) list.add(element)
  list.end()
}

export interface JsonList {
  add(element: unknown): void
  /** Adds an object whose last member is a list, whose elements arrive one after another. */
  addWithList(members: object, name: string, elements: Iterable<unknown>): void
  end(): void
}

/** A JSON list whose elements arrive one after another. */
export function openJsonList(output: Pick<Output, 'write'>, program: ProgramName): JsonList {
  let before = '['
  return {
    add(element) {
      output.write(`${before}${toJson(shapeFor(program, element))}`)
      before = ',\n'
    },
    addWithList(members, name, elements) {
      const [opened = '', closed = ''] = toJson({ ...members, [name]: [] }).split(/(?=\]\}$)/)
      output.write(before + opened)
      let between = ''
      for (const element of elements) {
        output.write(between + toJson(shapeFor(program, element)))
        between = ','
      }
      output.write(closed)
      before = ',\n'
    },
    end() {
      output.write(before === '[' ? '[]\n' : ']\n')
    },
  }
}

/** In the JSON of `git tasks`, the `after` of a task is null, one id, or a list. Under `gza` it is always a list. */
export function shapeFor(program: ProgramName, value: unknown): unknown {
  return program === 'git-tasks' ? withPlainAfter(value) : value
}

function withPlainAfter(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withPlainAfter)
  if ('uid' in value && 'after' in value && Array.isArray(value.after)) {
    const { after } = value
    return { ...value, after: after.length > 1 ? after : (after[0] ?? null) }
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withPlainAfter(inner)]))
}

function toJson(value: unknown): string {
  return printableJson(stringify(value))
}

/** Without a function that looks at each value, JSON.stringify takes a third of the time. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, plainNumbers)
  }
}

/** SQLite can return integers as bigint, which JSON.stringify refuses. */
function plainNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
