import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { KNOWN_KEYS } from '../../src/core/config/known-keys.ts'
import { listSettings } from '../../src/core/config/list-settings.ts'
import { mergeLayers } from '../../src/core/config/merge-layers.ts'
import { NOTICE_EVENTS } from '../../src/core/notify/notice.ts'
import { configJsonSchema } from '../../src/workspace/config/config-schema.ts'
import { aRepo } from '../support/repo.ts'

const DOCS = join(import.meta.dir, '../../docs')
const published = readFileSync(join(DOCS, 'gza.schema.json'), 'utf8')

test('the published schema is current (scripts/bun scripts/make-schema.ts), and the program prints the same', () => {
  expect(published).toBe(configJsonSchema())
  expect(aRepo().run(['gza', 'config', '--schema'], { cwd: '/' }).stdout).toBe(published)
})

test('the schema and the list of known keys name the same keys, besides those of the own file alone', () => {
  const ofProjects = KNOWN_KEYS.filter((key) => !/^(?:notify|isolation)\./.test(key))
  expect(keysOf(JSON.parse(published)).sort()).toEqual(ofProjects.sort())
})

test('every key of the schema has a description', () => {
  const silent = (schema: Schema, path: string): string[] =>
    Object.entries(parts(schema)).flatMap(([name, part]) => [
      ...(name === '*' || part.description ? [] : [`${path}${name}`]),
      ...silent(part, `${path}${name}.`),
    ])
  expect(silent(JSON.parse(published), '')).toEqual([])
})

test('docs/configuration.md describes every key, and its examples are read without complaint', () => {
  const text = readFileSync(join(DOCS, 'configuration.md'), 'utf8')
  const names = new Set(KNOWN_KEYS.flatMap((key) => key.split('.')).filter((name) => name !== '*'))
  expect([...names].filter((name) => !new RegExp(`\`(?:\\w+\\.)*${name}(?:\\.\\w+)*\``).test(text))).toEqual([])
  const repo = aRepo()
  const examples = [...text.matchAll(/```(yaml|json)\n([\s\S]*?)```/g)]
  expect(examples.map(([, language]) => language)).toEqual(['yaml', 'json', 'yaml'])
  const files = [
    'gza.yaml',
    '.project-config.json',
    relative(repo.dir, join(repo.env.HOME ?? '', '.config/gza/config.yaml')),
  ]
  for (const [index, [, , example = '']] of examples.entries()) repo.write(files[index] as string, example)
  expect(repo.gza('config')).toMatchObject({ code: 0, stderr: '' })
})

test('docs/configuration.md names what is built in as it is', () => {
  const text = readFileSync(join(DOCS, 'configuration.md'), 'utf8')
  const rows = listSettings(mergeLayers([])).flatMap(({ key, value }) => {
    if (key === 'notify.events') return NOTICE_EVENTS.map((event) => `| \`${event}\` |`)
    if (Array.isArray(value)) return value.map((step, index) => `${index + 1}. ${step}\n`)
    // The reviewer is the agent that did the work: nothing of its own is built in.
    const builtIn = key === 'defaults.review_agent' || value === null ? '' : `${value} `
    return `| \`${key.slice(key.lastIndexOf('.') + 1)}\` | ${builtIn}|`
  })
  expect(rows.filter((row) => !text.includes(row))).toEqual([])
})

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | false
  anyOf?: Schema[]
}

/** The keys below; `*` where any name is allowed. */
function parts(schema: Schema): Record<string, Schema> {
  const own = schema.properties ?? {}
  const any = schema.additionalProperties ? { '*': schema.additionalProperties } : {}
  return Object.assign({}, own, any, ...(schema.anyOf ?? []).map(parts))
}

function keysOf(schema: Schema): string[] {
  return Object.entries(parts(schema)).flatMap(([name, part]) => {
    const below = keysOf(part)
    return below.length === 0 ? [name] : below.map((key) => `${name}.${key}`)
  })
}
