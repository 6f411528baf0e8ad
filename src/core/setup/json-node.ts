/** The positions of the values in a JSON text, so that one can be inserted or removed without touching the rest. */
export interface JsonNode {
  start: number
  end: number
  kind: 'object' | 'array' | 'scalar'
  /** `start` is the position of the key, if it has one. */
  children: { key: string | null; start: number; value: JsonNode }[]
}

/** `text` must be valid for JSON.parse. */
export function readJsonNode(text: string): JsonNode {
  return readValue(text, skipSpace(text, 0))
}

export function childAt(node: JsonNode | undefined, key: string | number): JsonNode | undefined {
  return typeof key === 'number'
    ? node?.children[key]?.value
    : node?.children.findLast((child) => child.key === key)?.value
}

function readValue(text: string, start: number): JsonNode {
  const first = text[start]
  if (first === '{' || first === '[') return readContainer(text, start, first === '{' ? 'object' : 'array')
  const end =
    first === '"'
      ? stringEnd(text, start)
      : start + (/^[^\s,\]}]+/.exec(text.slice(start, start + 400))?.[0].length ?? 1)
  return { start, end, kind: 'scalar', children: [] }
}

function readContainer(text: string, start: number, kind: 'object' | 'array'): JsonNode {
  const node: JsonNode = { start, end: start, kind, children: [] }
  for (let at = skipSpace(text, start + 1); ; at = skipSpace(text, at + 1)) {
    if (text[at] === '}' || text[at] === ']') return { ...node, end: at + 1 }
    const child = kind === 'object' ? readMember(text, at) : { key: null, start: at, value: readValue(text, at) }
    node.children.push(child)
    at = skipSpace(text, child.value.end)
    if (text[at] !== ',') return { ...node, end: at + 1 }
  }
}

function readMember(text: string, start: number): JsonNode['children'][number] {
  const end = stringEnd(text, start)
  const colon = skipSpace(text, end)
  return { key: JSON.parse(text.slice(start, end)), start, value: readValue(text, skipSpace(text, colon + 1)) }
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at))) at++
  return at
}
