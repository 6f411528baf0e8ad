import { expect, test } from 'bun:test'
import { ALL_COMMANDS } from './all-commands.ts'
import { IN_BOX, type InBox } from './in-box.ts'

/** What decides about a flag: its own line, or the refusal of the whole command. */
function judgedFlags(rules: InBox, flags: readonly string[]): string[] {
  return 'instead' in rules ? [...flags] : Object.keys(rules.flags).sort()
}

test('IN_BOX in src/cli/tree/in-box.ts judges every command, and nothing else', () => {
  const names = new Set(ALL_COMMANDS.map(({ name }) => name))
  const judged = new Set(Object.keys(IN_BOX))
  expect({ missing: [...names.difference(judged)], unknown: [...judged.difference(names)] }).toEqual({
    missing: [],
    unknown: [],
  })
})

test.each(ALL_COMMANDS.map(({ name, parameters }) => [name, Object.keys(parameters().flags).sort()] as const))(
  'every flag of %s is judged in src/cli/tree/in-box.ts, and nothing else',
  (name, flags) => {
    const rules = IN_BOX[name]
    expect(rules && judgedFlags(rules, flags)).toEqual([...flags])
  },
)

test('what takes the name of a file is refused, or takes standard input only', () => {
  const named = ALL_COMMANDS.flatMap(({ name, parameters }) => {
    const rules = IN_BOX[name]
    if (rules === undefined || 'instead' in rules) return []
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
    'list --file PATH',
    'tree --plan FILE',
    'where --plan FILE',
  ])
})
