import type { Source } from '../source.ts'
import { splitCode } from '../split-code.ts'

const MOST_FUNCTIONS = 8

/** Interfaces with too many functions. What only holds data, such as a stored record, may have as many fields as it needs. */
export function wideInterfaces(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(DECLARATION)].flatMap(({ groups = {}, index }) => {
      const functions = (groups.body ?? '').split('\n').filter((line) => FUNCTION_MEMBER.test(line)).length
      if (functions <= MOST_FUNCTIONS) return []
      const line = text.slice(0, index).split('\n').length
      return [`${path}:${line}: ${groups.name} has ${functions} functions, at most ${MOST_FUNCTIONS} are allowed`]
    }),
  )
}

/** As the formatter writes it: the body's lines are indented by two, and the closing brace is at the beginning of its line. */
const DECLARATION = /^(?:export )?(?:interface|type) (?<name>\w+)[^{\n]*\{\n(?<body>[\s\S]*?)^\}/gm
const FUNCTION_MEMBER = /^ {2}(?:readonly )?[\w$]+\??(?:(?:<[^>]*>)?\(|: (?:<[^>]*>)?\((?:$|.*=>))/

/** With the lines where they were. */
function withoutComments(text: string): string {
  return splitCode(text)
    .map(({ kind, text: part }) => (kind === 'comment' ? part.replace(/[^\n]/g, ' ') : part))
    .join('')
}
