import { printableJson } from '../../core/text/printable.ts'
import type { CallContext, GlobalFlags } from '../call-context.ts'
import type { Output } from './output.ts'

/** Prints a result: as JSON with --json, otherwise as the given lines. */
export function printResult(context: CallContext, flags: GlobalFlags, value: unknown, lines: Iterable<string>): void {
  if (flags.json) printJson(context.out, value)
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
function printJson(output: Output, value: unknown): void {
  if (!Array.isArray(value)) {
    output.write(`${toJson(value)}\n`)
    return
  }
  printJsonList(output, value)
}

export function printJsonList(output: Pick<Output, 'write'>, elements: Iterable<unknown>): void {
  const list = openJsonList(output)
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
export function openJsonList(output: Pick<Output, 'write'>): JsonList {
  let before = '['
  return {
    add(element) {
      output.write(`${before}${toJson(element)}`)
      before = ',\n'
    },
    addWithList(members, name, elements) {
      const [opened = '', closed = ''] = toJson({ ...members, [name]: [] }).split(/(?=\]\}$)/)
      output.write(before + opened)
      let between = ''
      for (const element of elements) {
        output.write(between + toJson(element))
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
