import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ErrorOutput, OUTPUTS, WITHOUT_OUTPUT } from './outputs.ts'

/** docs/json.md, made from the schemas that check the output in tests. */
export function makePage(): string {
  const types = new Map<string, Schema>()
  const typeOf = (schema: z.ZodType) => describe(convert(schema, types))
  const rows = Object.entries(OUTPUTS).flatMap(([command, outputs]) =>
    outputs.map(({ when, schema }) => `| \`${when ?? command}\` | ${typeOf(schema)}${noteOf(schema)} |`),
  )
  const error = typeOf(ErrorOutput.shape.error)
  const sections = [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => section(name, schema))
  return `${INTRODUCTION}
## Commands

| command | prints |
|---|---|
${rows.join('\n')}

${WITHOUT_OUTPUT.map((name) => `\`${name}\``).join(', ')} have no output of their own.

## Errors

With \`--json\`, an error is the last line on stdout: \`{"error":{"code":…,"message":…,"hint":…}}\`, with an ${error} in it. The
exit code is the same as without: 1 refused, 2 usage, 70 a defect (\`INTERNAL\`). \`work\` and \`run\` print an error of the machine
as \`error\` beside what they did before it.

The codes: ${errorCodes()
    .map((code) => `\`${code}\``)
    .join(', ')}.

## Types

${sections.join('\n')}`
}

const INTRODUCTION = `# The output of --json

This page is made from the schemas that check the output of every command in tests. \`scripts/bun scripts/make-json-page.ts\`
writes it.

- Names are \`snake_case\`, and one thing has one name in all commands. A list that is empty is \`[]\`, and what is unknown is
  null: keys are never left out. A type that can have more fields says so; those are there only if they apply.
- \`number\`, \`id\` and \`title\` are those of a task. \`code\` is a stable word for programs, \`detail\` a sentence for people, \`next\`
  and \`commands\` are commands. Counts end in \`_count\`, times in \`_at\` or \`_until\`, durations in \`seconds\`, costs in \`_usd\`.
- \`gza\` and \`git tasks\` print the same, except that \`after\` of a task is null, one id or a list under \`git tasks\`.
- \`--limit\` cuts a list, and \`--fields a,b\` chooses keys of its rows.
- \`gza query --json\` prints the columns of your SQL. \`gza export --jsonl\` prints the ledger's own lines.
`

interface Schema {
  $ref?: string
  type?: string
  description?: string
  enum?: string[]
  const?: unknown
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  required?: string[]
}

function convert(schema: z.ZodType, types: Map<string, Schema>): Schema {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'input' }) as Schema & {
    $defs?: Record<string, Schema>
  }
  for (const [name, type] of Object.entries($defs)) types.set(name, type)
  const { id } = schema.meta() ?? {}
  if (id === undefined) return whole
  if (whole.$ref === undefined) types.set(id, whole)
  return { $ref: `#/$defs/${id}` }
}

function noteOf(schema: z.ZodType): string {
  const { id, description } = schema.meta() ?? {}
  return id === undefined && description !== undefined ? `. ${description}` : ''
}

function describe(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return `[${name}](#${name.toLowerCase()})`
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(describe).join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.type === 'array') return `list of ${describe(schema.items ?? {})}`
  if (schema.type === 'object') return 'object'
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'any value')
}

function section(
  name: string,
  { description = '', properties, required = [], additionalProperties, ...rest }: Schema,
): string {
  if (properties === undefined)
    return `### ${name}\n\n${description}${rest.enum === undefined ? '' : ` One of ${describe(rest)}.`}\n`
  const optional = Object.keys(properties).filter((field) => !required.includes(field))
  if (optional.length > 0) throw new Error(`${name} leaves out ${optional.join(', ')}; what is unknown is null`)
  const rows = Object.entries(properties).map(([field, schema]) => {
    return `| \`${field}\` | ${describe(schema)} | ${schema.description ?? ''} |`
  })
  const open = additionalProperties === false ? '' : ' It can have more fields.'
  return `### ${name}\n\n${description}${open}\n\n| field | type | |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** Every code that the sources give an error. */
function errorCodes(): string[] {
  const sources = join(import.meta.dir, '../../src')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )
  const codes = files.flatMap((name) =>
    [...readFileSync(join(sources, name), 'utf8').matchAll(/UserError\(\s*'([A-Z_]+)'/g)].map(([, code = '']) => code),
  )
  return [...new Set(codes)].sort()
}
