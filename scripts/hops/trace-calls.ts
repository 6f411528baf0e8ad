/**
 * Puts a probe into every function of a source file. At run time the probes know which file is being executed, so each
 * call between two files can be counted, callbacks and methods included.
 *
 * A call enters the file of the function and leaves it at the end. While the function awaits or yields, its file is left:
 * what runs meanwhile has another caller. A function that the event loop calls has no caller and is not counted.
 */
import { createRequire } from 'node:module'

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

interface Parser {
  parseSync(file: string, text: string): { program: Node; errors: unknown[] }
}

// The parser comes with knip; gza does not depend on it directly.
const { parseSync } = createRequire(createRequire(import.meta.url).resolve('knip/package.json'))('oxc-parser') as Parser

/** The text with its probes. `file` is its path below src, where the tracer is too. */
export function traceCalls(file: string, text: string): string {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${JSON.stringify(errors[0])}`)
  const inserts: Insert[] = []
  visit(program, { file, inserts, isInFunction: false, isAccessor: false })
  const tracer = `${'../'.repeat(file.split('/').length - 1) || './'}tracer.ts`
  return `import * as $t from '${tracer}';${apply(text, inserts)}`
}

interface Insert {
  at: number
  text: string
  isEnd?: true
}

interface Visit {
  file: string
  inserts: Insert[]
  isInFunction: boolean
  isAccessor: boolean
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const LEAVE = '}finally{$t.leave($f)}'

function visit(node: Node, at: Visit): void {
  // A getter is read like any other property: its calls belong to the reader.
  const isAccessor = node.kind === 'get' || node.kind === 'set'
  const isFunction = FUNCTIONS.has(node.type) && isNode(node.body) && !at.isAccessor
  const inside = { ...at, isAccessor, isInFunction: isFunction || (at.isInFunction && !isAccessor && !at.isAccessor) }
  if (isFunction) probe(node.body as Node, at)
  if (inside.isInFunction) followResumption(node, inside)
  for (const child of childrenOf(node)) visit(child, inside)
}

function probe(body: Node, { file, inserts }: Visit): void {
  const enter = `const $f=$t.enter('${file}');try{`
  const isBlock = body.type === 'BlockStatement' || body.type === 'FunctionBody'
  if (isBlock && body.end - body.start === 2) {
    inserts.push({ at: body.start + 1, text: enter + LEAVE })
    return
  }
  inserts.push({ at: isBlock ? body.start + 1 : body.start, text: isBlock ? enter : `{${enter}return ` })
  inserts.push({ at: isBlock ? body.end - 1 : body.end, text: isBlock ? LEAVE : `${LEAVE}}`, isEnd: true })
}

function followResumption(node: Node, { inserts }: Visit): void {
  const around = (part: Node, before: string, after: string): void => {
    inserts.push({ at: part.start, text: before }, { at: part.end, text: after, isEnd: true })
  }
  const argument = isNode(node.argument) ? node.argument : null
  if (node.type === 'AwaitExpression' && argument) {
    around(node, '$t.awaited($f,', ')')
    around(argument, '$t.pause($f,', ')')
  }
  if (node.type === 'YieldExpression') {
    around(node, '$t.resumed($f,', ')')
    if (argument && !node.delegate) around(argument, '$t.pause($f,', ')')
  }
  const body = isNode(node.body) ? node.body : null
  if ((node.type === 'CatchClause' || node.type === 'ForOfStatement') && body?.type === 'BlockStatement')
    inserts.push({ at: body.start + 1, text: '$t.back($f);' })
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** At the same position, ends come before beginnings, inner ends before outer ends, and outer beginnings before inner ones. */
function apply(text: string, inserts: readonly Insert[]): string {
  const parts = new Map<number, { ends: string; begins: string }>()
  for (const { at, text: part, isEnd } of inserts) {
    const { ends, begins } = parts.get(at) ?? { ends: '', begins: '' }
    parts.set(at, isEnd ? { ends: part + ends, begins } : { ends, begins: begins + part })
  }
  let out = ''
  let last = 0
  for (const [at, { ends, begins }] of [...parts].sort(([a], [b]) => a - b)) {
    out += text.slice(last, at) + ends + begins
    last = at
  }
  return out + text.slice(last)
}
