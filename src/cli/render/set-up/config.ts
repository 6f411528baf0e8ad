import type { Setting } from '../../../core/config/list-settings.ts'
import type { Origin } from '../../../core/config/settings.ts'
import { printable } from '../../../core/text/printable.ts'
import type { Display } from '../../terminal/display.ts'
import { padTo, widthOf, wrapText } from '../../terminal/fit-to.ts'

/** Key, value and origin in columns. Values from a file are highlighted; defaults are not. */
export function* renderSettings(settings: readonly Setting[], { style, width }: Display): Iterable<string> {
  const rows = settings.map(({ key, value, origin }) => [printable(key), valueText(value), originText(origin)] as const)
  const widest = (at: 0 | 1) => rows.reduce((most, row) => Math.max(most, Math.min(widthOf(row[at]), WIDEST)), 0)
  const [keys, values] = [widest(0), widest(1)]
  const isTooWide = width !== null && keys + values + BUILT_IN.length + 4 > width
  for (const [key, value, origin] of rows) {
    const isBuiltIn = origin === BUILT_IN
    if (isTooWide) {
      const lines = narrowLines([key, value, origin], keys, width)
      yield* isBuiltIn ? lines.map(style.dim) : lines
      continue
    }
    const line = `${padTo(key, keys)}  ${padTo(value, values)}  `
    yield isBuiltIn ? style.dim(line + origin) : `${line}${style.green(origin)}`
  }
}

/** On one line if there is room for it, otherwise the value below its key. */
function narrowLines([key, value, origin]: readonly [string, string, string], keys: number, width: number): string[] {
  const end = `${value}  ${origin}`
  if (keys + 2 + widthOf(end) <= width) return [`${padTo(key, keys)}  ${end}`]
  return [key, ...wrapText(end, width - 4).map((text) => `    ${text}`)]
}

/** One long command should not push every other line's origin off the screen. */
const WIDEST = 48
const BUILT_IN = 'built in'

function valueText(value: Setting['value']): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text === '' ? '-' : printable(text)
}

function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'built-in':
      return BUILT_IN
    case 'user':
    case 'project':
      return printable(`${origin.file}:${origin.line}`)
    case 'environment':
    case 'command-line':
      return origin.name
  }
}
