import { expect, test } from 'bun:test'
import { ALL_COMMANDS } from './all-commands.ts'
import { IN_BOX, type InBox } from './in-box.ts'

/** What decides about a flag: its own line, or the refusal of the whole command. */
function judgedFlags(rules: InBox, flags: readonly string[]): string[] {
  return 'instead' in rules ? [...flags] : Object.keys(rules.flags).sort()
}

test('every command is judged, and nothing else', () => {
  expect(Object.keys(IN_BOX).sort()).toEqual(ALL_COMMANDS.map(({ name }) => name).sort())
})

test.each(ALL_COMMANDS.map(({ name, parameters }) => [name, Object.keys(parameters().flags).sort()] as const))(
  'every flag of %s is judged, and nothing else',
  (name, flags) => {
    expect(judgedFlags(IN_BOX[name] as InBox, flags)).toEqual([...flags])
  },
)

test('what takes the name of a file is refused, or takes standard input only', () => {
  const named = ALL_COMMANDS.flatMap(({ name, parameters }) => {
    const rules = IN_BOX[name] as InBox
    if ('instead' in rules) return []
    const { flags, positional } = parameters()
    const inputs = positional.kind === 'tuple' ? positional.parameters : [positional.parameter]
    return [
      ...inputs.flatMap(({ placeholder = '' }, at) =>
        /FILE|DIR|PATH|CMD|URL|REMOTE/.test(placeholder) && !(rules.input?.only && rules.input.at === at)
          ? [`${name} ${placeholder}`]
          : [],
      ),
      ...Object.entries(flags).flatMap(([flag, { placeholder = '' }]) =>
        /FILE|DIR|PATH|CMD|URL|REMOTE/.test(placeholder) && rules.flags[flag] === true
          ? [`${name} --${flag} ${placeholder}`]
          : [],
      ),
    ]
  })
  // These are compared with what tasks say about themselves, or stored: no file is opened.
  expect(named.sort()).toEqual([
    'add --files-to-create PATH',
    'add --files-to-modify PATH',
    'add --plan-file PATH',
    'add --test-files PATH',
    'context --plan FILE',
    'tree --plan FILE',
    'where --plan FILE',
  ])
})
