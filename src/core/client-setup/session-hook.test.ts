import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { lineDiff } from './line-diff.ts'
import { type Edited, putBlock, takeBlock } from './marked-block.ts'
import { putHook, takeHook } from './session-hook.ts'

const HOOK = { command: 'gza context --hook || true' }

function textOf(edited: Edited): string {
  if ('why' in edited) throw new Error(edited.why)
  return edited.text
}

test('the hook is inserted into settings of any format, and nothing else changes', () => {
  expect(textOf(putHook('', HOOK))).toBe(`{
  "hooks": {
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "gza context --hook || true"
          }
        ]
      }
    ]
  }
}
`)
  const own = '{\n\t"model": "opus", "permissions": {"allow": ["Bash(ls)"]},\n\t"hooks": {"Stop": []}\n}\n'
  const put = textOf(putHook(own, HOOK))
  expect(put).toStartWith('{\n\t"model": "opus", "permissions": {"allow": ["Bash(ls)"]},\n\t"hooks": {"Stop": [],')
  expect(JSON.parse(put).hooks.SessionStart).toEqual([{ hooks: [{ type: 'command', ...HOOK }] }])
  expect(textOf(takeHook(put))).toBe(own)
})

test('a hook of somebody else in the same entry stays', () => {
  const both = '{"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"command":"gza context"},{"command":"ls"}]}]}}'
  expect(textOf(takeHook(both))).toBe('{"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"command":"ls"}]}]}}')
  expect(JSON.parse(textOf(putHook(both, HOOK))).hooks.SessionStart).toEqual([
    { matcher: 'startup', hooks: [{ command: 'ls' }] },
    { hooks: [{ type: 'command', ...HOOK }] },
  ])
})

test('a file that is not plain JSON, or not in the form that the client reads, is refused', () => {
  for (const text of [
    '{ // mine\n}',
    '{"a": 1,}',
    '[]',
    '{"hooks": []}',
    '{"hooks": {"SessionStart": {}}}',
    '{"hooks":{},"hooks":{}}',
  ])
    expect(putHook(text, HOOK)).toHaveProperty('why')
})

test('inserting the hook twice is the same as once, and removing it leaves the original text', () => {
  const settings = fc.record(
    {
      model: fc.string(),
      list: fc.array(fc.jsonValue({ maxDepth: 2 })),
      hooks: fc.record(
        { SessionStart: fc.constant([{ hooks: [{ command: 'ls' }] }]), Stop: fc.constant([]) },
        { requiredKeys: ['Stop'] },
      ),
    },
    { requiredKeys: ['model'] },
  )
  fc.assert(
    fc.property(settings, fc.constantFrom(undefined, 2, 4, '\t'), fc.constantFrom('', '\n'), (value, indent, end) => {
      const text = JSON.stringify(value, null, indent) + end
      const put = textOf(putHook(text, HOOK))
      expect(textOf(putHook(put, HOOK))).toBe(put)
      expect(JSON.parse(put).hooks.SessionStart.at(-1)).toEqual({ hooks: [{ type: 'command', ...HOOK }] })
      expect(textOf(takeHook(put))).toBe(text)
    }),
  )
})

test('a block is inserted once and removed without a trace, in any text', () => {
  const text = fc
    .array(fc.constantFrom('# Title', '', 'words', '- [ ] a'))
    .chain((lines) =>
      fc
        .tuple(fc.constantFrom('\n', '\r\n'), fc.boolean())
        .map(([eol, isEnded]) => lines.join(eol) + (isEnded && lines.length > 0 ? eol : '')),
    )
  fc.assert(
    fc.property(text, (before) => {
      const put = textOf(putBlock(before, 'one\ntwo\n'))
      expect(textOf(putBlock(put, 'one\ntwo\n'))).toBe(put)
      expect(put.startsWith(before)).toBe(true)
      expect(textOf(takeBlock(put))).toBe(before)
      expect(textOf(takeBlock(textOf(putBlock(put, 'three'))))).toBe(before)
    }),
  )
  for (const gap of ['\n', '\n\n', ' '])
    expect(textOf(takeBlock(`# A${gap}<!-- gza:begin -->\nx\n<!-- gza:end -->\ntail\n`))).toMatch(/^# A\s+tail\n$/)
  expect(putBlock('<!-- gza:begin -->', 'x')).toHaveProperty('why')
  expect(takeBlock('<!-- gza:end --> <!-- gza:begin -->')).toHaveProperty('why')
})

test('a diff shows the change with some lines around it', () => {
  expect(lineDiff('', 'a\nb\n', 'F.md')).toEqual(['--- /dev/null', '+++ F.md', '+a', '+b'])
  expect(lineDiff('1\n2\n3\n4\n5\n', '1\n2\n3\n4\nx\n5\n', 'F.md')).toEqual([
    ...['--- F.md', '+++ F.md', ' 2', ' 3', ' 4', '+x', ' 5'],
  ])
})
