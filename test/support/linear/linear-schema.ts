/**
 * Linear's published schema, out of the types that its SDK ships. The package holds no schema file, but a generator wrote
 * these types from the schema one to one: objects, inputs, arguments, enums, which fields may be null, which are lists.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSchema, type GraphQLSchema } from 'graphql'

let built: GraphQLSchema | undefined

export function linearSchema(): GraphQLSchema {
  built ??= buildSchema(schemaText(typesOfSdk()), { assumeValid: true })
  return built
}

function typesOfSdk(): string {
  const folder = dirname(Bun.resolveSync('@linear/sdk', import.meta.dir))
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.d.mts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const found = texts.find((text) => /^type Query = \{$/m.test(text))
  if (found === undefined) throw new Error('the SDK no longer ships the types of its schema')
  // What follows belongs to the SDK's own queries.
  return found.slice(0, found.search(/^type \w+Fragment = /m)).replace(/\/\*\*[\s\S]*?\*\//g, '')
}

interface Shape {
  name: string
  above: string[]
  isObject: boolean
  fields: { name: string; type: string }[]
}

function schemaText(types: string): string {
  const shapes = [...types.matchAll(/^type (\w+) = ((?:\w+ & )*)\{\n([\s\S]*?)^\};/gm)].map(readShape)
  const args = new Map(
    shapes.filter(({ name }) => name.endsWith('Args')).map((shape) => [shape.name.toLowerCase(), shape]),
  )
  const interfaces = new Set(shapes.flatMap(({ above }) => above))
  const scalars = shapes.find(({ name }) => name === 'Scalars')?.fields ?? []
  return [
    ...scalars.filter(({ name }) => !BUILT_IN.includes(name)).map(({ name }) => `scalar ${name}`),
    ...[...types.matchAll(/^declare enum (\w+) \{([\s\S]*?)^\}/gm)].map(enumText),
    ...[...types.matchAll(/^type (\w+) = (\w+(?: \| \w+)+);$/gm)].map(
      ([, name, members]) => `union ${name} = ${members}`,
    ),
    ...shapes
      .filter(({ name, isObject }) => name !== 'Scalars' && (isObject || !name.endsWith('Args')))
      .map((shape) => shapeText(shape, interfaces, args)),
  ].join('\n')
}

const BUILT_IN = ['ID', 'String', 'Boolean', 'Int', 'Float']

function readShape([, name = '', above = '', body = '']: RegExpMatchArray): Shape {
  const lines = [...body.matchAll(/^ {2}(\w+)(\??): ([^;]+);$/gm)]
  // An argument that may be left out without being null has a default.
  const fields = lines.map(([, field = '', optional, type = '']) => ({
    name: field,
    type: optional && !/^(?:Input)?Maybe</.test(type) ? `Maybe<${type}>` : type,
  }))
  return {
    name,
    above: above.split(' & ').filter(Boolean),
    isObject: fields.some((field) => field.name === '__typename'),
    fields: fields.filter((field) => field.name !== '__typename'),
  }
}

function shapeText(shape: Shape, interfaces: ReadonlySet<string>, args: ReadonlyMap<string, Shape>): string {
  const { name, above, isObject, fields } = shape
  const kind = isObject ? 'type' : interfaces.has(name) ? 'interface' : 'input'
  const lines = fields.map((field) => {
    const own = kind === 'type' ? args.get(`${name}${field.name}args`.toLowerCase()) : undefined
    const list = own?.fields.map((argument) => `${argument.name}: ${typeText(argument.type)}`).join(', ')
    return `  ${field.name}${list ? `(${list})` : ''}: ${typeText(field.type)}`
  })
  const implemented = kind === 'type' && above.length > 0 ? ` implements ${above.join(' & ')}` : ''
  return `${kind} ${name}${implemented} {\n${lines.join('\n')}\n}`
}

/** `Maybe<Array<Scalars["String"]>>` is `[String!]`. */
function typeText(type: string): string {
  const maybe = /^(?:Input)?Maybe<(.+)>$/.exec(type)?.[1]
  return maybe === undefined ? `${bareText(type)}!` : bareText(maybe)
}

function bareText(type: string): string {
  const list = /^Array<(.+)>$/.exec(type)?.[1]
  if (list !== undefined) return `[${typeText(list)}]`
  return /^Scalars\["(\w+)"\]$/.exec(type)?.[1] ?? type
}

function enumText([, name, body = '']: RegExpMatchArray): string {
  return `enum ${name} { ${[...body.matchAll(/= "(\w+)"/g)].map(([, value]) => value).join(' ')} }`
}
