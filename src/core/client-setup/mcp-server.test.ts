import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { putJsonServer, takeJsonServer } from './json-server.ts'
import type { Edited } from './marked-block.ts'
import { putTomlServer, takeTomlServer } from './toml-server.ts'

const SERVER = { key: 'mcpServers', entry: { command: 'gza', args: ['mcp'] } }
const { parse } = Bun.TOML

function textOf(edited: Edited): string {
  if ('why' in edited) throw new Error(edited.why)
  return edited.text
}

test('gza is put among the servers of JSON settings, with comments or without, and nothing else changes', () => {
  expect(textOf(putJsonServer('', SERVER))).toBe(`{
  "mcpServers": {
    "gza": {
      "command": "gza",
      "args": [
        "mcp"
      ]
    }
  }
}
`)
  const own = `{
  // mine
  "theme": "dark", /* yes */
  "mcpServers": {
    "other": { "command": "x" }, // keep
  },
}
`
  const put = textOf(putJsonServer(own, SERVER))
  for (const line of own.split('\n').filter((each) => !each.includes('other'))) expect(put).toContain(line)
  expect(put).toContain('"other": { "command": "x" },\n    "gza": {')
  expect(textOf(putJsonServer(put, SERVER))).toBe(put)
  expect(textOf(takeJsonServer(put, 'mcpServers'))).toBe(own)
})

test('what a person has added to the entry stays; another command there is replaced', () => {
  const custom = '{"mcpServers":{"gza":{"command":"gza","args":["mcp"],"timeout":5}}}'
  expect(textOf(putJsonServer(custom, SERVER))).toBe(custom)
  const other = '{"mcpServers":{"a":{},"gza":{"command":"old"},"z":{}}}'
  expect(JSON.parse(textOf(putJsonServer(other, SERVER))).mcpServers).toEqual({ a: {}, z: {}, gza: SERVER.entry })
})

test('settings that cannot be read are refused', () => {
  for (const text of ['{', '[]', '{"mcpServers": []}', '{"mcpServers":{},"mcpServers":{}}', 'x'])
    expect(putJsonServer(text, SERVER)).toHaveProperty('why')
})

test('in any JSON settings, putting gza twice is the same as once, and taking it leaves the original text', () => {
  const settings = fc.record(
    {
      model: fc.string(),
      mcpServers: fc.constant({ other: { command: 'x' } }),
      list: fc.array(fc.jsonValue({ maxDepth: 2 })),
    },
    { requiredKeys: ['model'] },
  )
  fc.assert(
    fc.property(settings, fc.constantFrom(undefined, 2, 4, '\t'), fc.constantFrom('', '\n'), (value, indent, end) => {
      const text = JSON.stringify(value, null, indent) + end
      const put = textOf(putJsonServer(text, SERVER))
      expect(textOf(putJsonServer(put, SERVER))).toBe(put)
      expect(JSON.parse(put).mcpServers.gza).toEqual(SERVER.entry)
      expect(textOf(takeJsonServer(put, 'mcpServers'))).toBe(text)
    }),
  )
})

test('in any TOML settings, gza is a table at the end, once, and taking it leaves the original text', () => {
  const lines = fc.constantFrom('model = "o1"', '# mine', '', '[mcp_servers.other]', '[profiles.a]', '  # end')
  const unique = fc.uniqueArray(lines, { selector: (line) => line || Math.random() })
  fc.assert(
    fc.property(unique, fc.constantFrom('\n', '\r\n'), fc.boolean(), (some, eol, isEnded) => {
      const text = some.join(eol) + (isEnded && some.length > 0 ? eol : '')
      const put = textOf(putTomlServer(text, parse))
      expect(put.startsWith(text)).toBe(true)
      expect(textOf(putTomlServer(put, parse))).toBe(put)
      expect(parse(put)).toMatchObject({ mcp_servers: { gza: { command: 'gza', args: ['mcp'] } } })
      expect(textOf(takeTomlServer(put, parse))).toBe(text)
    }),
  )
})

test('a table of gza that a person wrote is replaced where that is safe, and refused otherwise', () => {
  const own = '[mcp_servers.gza]\ncommand = "old"\n\n[mcp_servers.gza.env]\nA = "1"\n\n[b]\nc = 1\n'
  expect(textOf(takeTomlServer(own, parse))).toBe('[b]\nc = 1\n')
  expect(parse(textOf(putTomlServer(own, parse)))).toEqual({
    ...{ b: { c: 1 }, mcp_servers: { gza: { command: 'gza', args: ['mcp'] } } },
  })
  const kept = '[mcp_servers.gza]\ncommand = "gza"\nargs = ["mcp"]\nenabled = true\n'
  expect(textOf(putTomlServer(kept, parse))).toBe(kept)
  for (const text of [
    'mcp_servers = { gza = { command = "x" } }\n',
    '[mcp_servers]\ngza = { command = "x" }\n',
    'text = """\n[mcp_servers.gza]\n"""\n[mcp_servers]\ngza.command = "x"\n',
    'a = ',
  ])
    expect(putTomlServer(text, parse)).toHaveProperty('why')
})
