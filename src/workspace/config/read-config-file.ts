/**
 * Reads and checks one configuration file: unknown keys, bad values and contradictions are errors with their position.
 */
import type { z } from 'zod'
import { KNOWN_KEYS } from '../../core/config/known-keys.ts'
import { contradiction, type Leaf, layerOf } from '../../core/config/layer-of.ts'
import { keysBelow, nearestKey } from '../../core/config/nearest-key.ts'
import type { ConfigLayer } from '../../core/config/settings.ts'
import { shorten } from '../../core/text/shorten.ts'
import type { UserError } from '../../core/user-error.ts'
import { PROJECT_FILE, SHARED_FILE, USER_FILE } from './config-schema.ts'
import { type ConfigText, type ParsedText, parseConfigText } from './parse-config-text.ts'

/** `user`: the person's own file; `project`: gza.yaml; `shared`: .project-config.json, which other tools read too. */
export interface ConfigFile extends ConfigText {
  kind: 'user' | 'project' | 'shared'
}

const SCHEMAS = { user: USER_FILE, project: PROJECT_FILE, shared: SHARED_FILE }

export function readConfigFile(source: ConfigFile): ConfigLayer {
  const parsed = parseConfigText(source)
  const schema = SCHEMAS[source.kind]
  const checked = schema.safeParse(parsed.root ?? {})
  if (!checked.success) throw firstProblem(checked.error.issues, source, parsed)
  const leaves = ownKeys(source.kind).flatMap((key) => leavesAt(checked.data, [key], source, parsed))
  const twice = contradiction(leaves)
  if (twice === null) return layerOf(leaves)
  const [first, second] = twice
  throw parsed.problem(
    second.key.split('.'),
    'key',
    `${second.key} and ${first.key} are the same setting, but have different values`,
    'Keep one of them.',
  )
}

function ownKeys(kind: ConfigFile['kind']): string[] {
  return Object.keys(SCHEMAS[kind].shape)
}

/** The values below a path, without empty ones. What another tool keeps in a shared section is not a value of gza. */
function leavesAt(root: object, path: string[], source: ConfigFile, parsed: ParsedText): Leaf[] {
  const value = path.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], root)
  if (value === null || value === undefined || isForeign(path, source)) return []
  if (typeof value === 'object' && !Array.isArray(value)) {
    return Object.keys(value).flatMap((name) => leavesAt(root, [...path, name], source, parsed))
  }
  const kind = source.kind === 'user' ? 'user' : 'project'
  const origin = { kind, file: source.file, line: parsed.lineOf(path) } as const
  return [{ key: path.join('.'), value: value as Leaf['value'], origin }]
}

function isForeign([first, second]: string[], { kind }: ConfigFile): boolean {
  return kind === 'shared' && first === 'integrations' && second !== undefined && second !== 'linear'
}

type Issue = z.core.$ZodIssue

/**
 * The problem that comes first in the file; if a key is missing and another is unknown, the unknown one was probably
 * meant.
 */
function firstProblem(issues: readonly Issue[], source: ConfigFile, parsed: ParsedText): UserError {
  const misspelt = issues.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => path.join('.'))
  const isMeant = ({ path }: Issue) => isMissing(path, parsed) && misspelt.includes(path.slice(0, -1).join('.'))
  const problems = issues.filter((issue) => !isMeant(issue)).flatMap((issue) => problemsOf(issue, source, parsed))
  const [first] = problems.sort((a, b) => a.at - b.at)
  return (first as Problem).error
}

interface Problem {
  at: number
  error: UserError
}

function problemsOf(issue: Issue, source: ConfigFile, parsed: ParsedText): Problem[] {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : []
  const paths = keys.map((key) => [...issue.path.map(String), key])
  if (paths.length > 0)
    return paths.map((path) => ({ at: parsed.lineOf(path), error: unknownKey(path, source, parsed) }))
  return [{ at: parsed.lineOf(issue.path), error: badValue(issue, source, parsed) }]
}

function unknownKey(path: string[], { kind }: ConfigFile, parsed: ParsedText): UserError {
  const sections = ownKeys(kind)
  const [section = ''] = path
  if (!sections.includes(section) && ownKeys('user').includes(section))
    return parsed.problem(
      path,
      'key',
      `${section} belongs to a person, not to a repository`,
      'Put it into your own file: ~/.config/gza/config.yaml, or $XDG_CONFIG_HOME/gza/config.yaml.',
    )
  const known = KNOWN_KEYS.filter((key) => sections.includes(key.split('.')[0] ?? ''))
  const key = path.join('.')
  const nearest = nearestKey(key, known)
  const here = keysBelow(path.slice(0, -1), known).join(', ')
  return parsed.problem(
    path,
    'key',
    `unknown key ${key}`,
    nearest === null ? `Known here: ${here}.` : `Did you mean ${nearest}?`,
  )
}

function badValue(issue: Issue, source: ConfigFile, parsed: ParsedText): UserError {
  const key = issue.path.join('.') || source.file
  if (issue.code === 'invalid_key') {
    return parsed.problem(
      issue.path,
      'key',
      `${key} is not a valid name`,
      'Use letters, digits, - and _, and begin with a letter.',
    )
  }
  if (issue.code === 'custom' && issue.params?.isWholeSentence)
    return parsed.problem(issue.path, 'value', `${key}: ${issue.message}`)
  if (isMissing(issue.path, parsed)) return parsed.problem(issue.path, 'value', `${key} is missing`)
  return parsed.problem(issue.path, 'value', `${key} ${issue.message}, not ${shown(valueAt(issue.path, parsed))}`)
}

function isMissing(path: Issue['path'], parsed: ParsedText): boolean {
  return valueAt(path, parsed) === undefined
}

function valueAt(path: Issue['path'], parsed: ParsedText): unknown {
  return path.reduce<unknown>((node, name) => (node as Record<PropertyKey, unknown>)?.[name], parsed.root)
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'a section'
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return shorten(text, LONGEST)
}

const LONGEST = 60
