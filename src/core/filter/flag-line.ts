/**
 * A filter as one line, for a place where people type no command: words as `gza search` takes them, and the flags of
 * `gza list`, as in `parser -legacy --agent codex --not --milestone m1`. Every condition must hold.
 */
import { nearestWord } from '../config/nearest-key.ts'
import { givenTwice, unknownFlag, usage, withoutValue } from '../flag-faults.ts'
import { command } from '../sentence.ts'
import type { GivenFilter } from './given-filter.ts'
import { joinNegatedFlags } from './negated-flags.ts'

/** The flags of `gza list` that filter, with a value each. */
const ONCE = ['status', 'group', 'type', 'agent', 'priority', 'milestone', 'since', 'file', 'text', 'view'] as const
export const FILTER_FLAGS = [...ONCE, 'not'] as const satisfies readonly (keyof GivenFilter)[]
type FilterFlag = (typeof FILTER_FLAGS)[number]

/** `view` is the name of a saved filter here. */
export interface FlagLine extends GivenFilter {
  /** Also archived tasks. */
  all: boolean
}

/** Throws what the command line would print. */
export function readFlagLine(line: string): FlagLine {
  const { flags, rest } = splitAtEnd(joinNegatedFlags(wordsOf(line)))
  const given: { [flag in FilterFlag]?: string[] } = {}
  const texts: string[] = []
  let all = false
  for (let word = flags.shift(); word !== undefined; word = flags.shift()) {
    const [, name, value] = FLAG.exec(word) ?? []
    if (name === undefined) texts.push(word)
    else if (name === 'all' && value === undefined) all = true
    else take(given, name, value ?? flags.shift())
  }
  const { not, text = [], ...single } = given
  const words = [...texts, ...text, ...rest].join(' ')
  const fields = Object.entries(single).map(([name, [value]]) => [name, value] as const)
  return { ...Object.fromEntries(fields), ...(words !== '' && { text: words }), ...(not && { not }), all }
}

const FLAG = /^--([a-z][a-z-]*)(?:=(.*))?$/is

function take(given: { [flag in FilterFlag]?: string[] }, name: string, value: string | undefined): void {
  const flag = FILTER_FLAGS.find((each) => each === name)
  if (flag === undefined) throw notAFilter(name)
  if (value === undefined || FLAG.test(value)) throw withoutValue(flag, HELP)
  const before = given[flag] ?? []
  if (before.length > 0 && flag !== 'not') throw givenTwice(flag, HELP)
  given[flag] = [...before, plain(value)]
}

const HELP = command`list --help`

/** Flags of the command that say how to print. */
const NOT_FILTERS = ['all', 'all-branches', 'limit', 'fields', 'json', 'branch', 'no-pager']

function notAFilter(name: string): Error {
  if (NOT_FILTERS.includes(name))
    return usage(`--${name} cannot be used in this filter`, `Flags here: --${FILTER_FLAGS.join(', --')}, --all`)
  const nearest = nearestWord(name, FILTER_FLAGS)
  return unknownFlag(name, nearest === null ? [] : [nearest], HELP)
}

/** The words of the line, each with its quotes, except for those around a whole word that a shell would remove. */
function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(WORD), ([word, single]) => single ?? word)
}

/** 'In single quotes', or anything in which double quotes hold spaces together. An open quote ends with the line. */
const WORD = /(?<!\S)'([^']*)'(?!\S)|(?:"[^"]*(?:"|$)|[^\s"])+/g

/** The value of a flag as the command would get it: without the quotes around it. */
function plain(value: string): string {
  return /^"([^"]*)"?$/.exec(value)?.[1] ?? /^'([^']*)'$/.exec(value)?.[1] ?? value
}

/** After a word `--` no word is a flag. */
function splitAtEnd(words: string[]): { flags: string[]; rest: string[] } {
  const end = words.indexOf('--')
  return end < 0 ? { flags: words, rest: [] } : { flags: words.slice(0, end), rest: words.slice(end + 1) }
}
