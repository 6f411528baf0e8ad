/**
 * Models that know no tool and no command of gza. They call only tools that were listed to them, with arguments that the
 * schemas ask for, or run only commands that they find in what they were sent.
 */
import { at, listAt, readJson, textAt } from '../../src/agents/reading/read-json.ts'
import type { OfferedTool, Script, Step, ToolCall } from './model-script.ts'

export const NOTE = 'The parser needs a lexer first.'
export const CLOSING = 'The task is closed.'
/** A conversation that gets longer leads nowhere. */
const MOST_RESULTS = 12

/** What they want to do. How, they have to find out. */
type Goal = 'next' | 'claim' | 'note' | 'done'

/** The goal after the last one that an answer shows to be reached. Null: all are. */
function nextGoal(text: string, signs: Readonly<Record<Goal, RegExp>>): Goal | null {
  if (signs.done.test(text)) return null
  if (signs.note.test(text)) return 'done'
  if (signs.claim.test(text)) return 'note'
  return signs.next.test(text) ? 'claim' : 'next'
}

/** What the tools answer. Some clients pass an answer on as JSON in JSON. */
const ANSWERED = {
  next: /"total\\*":\d/,
  claim: /"status\\*":\\*"in_progress/,
  note: /"noted\\*":/,
  done: /"done\\*":\{/,
}

/** It reaches its goals with the tools of a server. */
export const USES_TOOLS: Script = {
  turns: [],
  closing: CLOSING,
  decide: ({ tools, text, results }) => {
    const goal = nextGoal(text, ANSWERED)
    if (goal === null) return { say: CLOSING }
    if (results > MOST_RESULTS) return { say: 'It leads nowhere.' }
    const listed = tools.find(({ name, namespace = '' }) => isFor(goal, `${namespace} ${name}`))
    if (listed !== undefined) return callOf(listed, text)
    return callThrough(goal, tools, text) ?? loadTool(goal, tools, text)
  },
}

/** A client with many tools sends only the names of some, and describes those that the model asks for. */
function loadTool(goal: Goal, tools: readonly OfferedTool[], text: string): Step {
  const search = tools.find(({ name }) => /^tool_?search$/i.test(name))
  const name = text.match(/\bmcp__gza__[a-z]+\b/g)?.find((each) => isFor(goal, each))
  if (search === undefined || name === undefined)
    return { say: `No tool for ${goal} among ${tools.map((each) => each.name).join(' ')}` }
  const [field = ''] = listAt(search.schema, 'required').map(String)
  return { call: search.name, input: { [field]: `select:${name}` } }
}

/** It may then have to be called through another tool: its name is one argument, and its own arguments are another. */
function callThrough(goal: Goal, tools: readonly OfferedTool[], text: string): Step | null {
  const described = [...text.matchAll(/<function>(\{.*?\})<\/function>/g)].map(([, json]) => readJson(json ?? ''))
  const found = described.find((each) => isFor(goal, textAt(each, 'name')))
  const caller = tools.find(({ name }) => name === 'tool_call')
  if (found === undefined || caller === undefined) return null
  const { call, input } = callOf({ name: textAt(found, 'name'), schema: at(found, 'parametersJsonSchema') }, text)
  const fields = Object.entries((at(caller.schema, 'properties') ?? {}) as object)
  const values = fields.map(([field, each]) => [field, textAt(each, 'type') === 'string' ? call : input])
  return { call: caller.name, input: Object.fromEntries(values) }
}

/** Clients put the name of the server before the name of a tool, in ways of their own. */
function isFor(goal: Goal, name: string): boolean {
  return /gza/.test(name) && new RegExp(`(?:^|[^a-z])${goal}$`).test(name)
}

/** Arguments as the schema asks for them: a task is named as an earlier answer named it. */
function callOf({ name, namespace, schema }: OfferedTool, text: string): ToolCall {
  const required = listAt(schema, 'required')
  const number = /"number\\*":(\d+)/.exec(text)?.[1]
  const input: Record<string, string> = {}
  for (const [field, each] of Object.entries((at(schema, 'properties') ?? {}) as object)) {
    const isText = textAt(each, 'type').toLowerCase() === 'string'
    if (isText && /number/i.test(textAt(each, 'description')) && number !== undefined) input[field] = number
    else if (isText && required.includes(field)) input[field] = NOTE
  }
  return { call: name, input, ...(namespace !== undefined && { namespace }) }
}

/** It reaches its goals with commands. If it has not read the command for a goal, it runs one that tells it more. */
export const USES_COMMANDS: Script = {
  turns: [],
  closing: CLOSING,
  decide: ({ text, results }) => {
    const goal = nextGoal(text, PRINTED)
    if (goal === null) return { say: CLOSING }
    if (results > MOST_RESULTS) return { say: 'It leads nowhere.' }
    // Before it lists what there is, it wants to know how to go on.
    const isKnown = goal !== 'next' || find(text, LINES.claim) !== undefined
    return run(isKnown ? find(text, LINES[goal])?.replace('…', NOTE) : undefined, text)
  },
}

/** What the commands print. */
const PRINTED = {
  next: /\d+\. \[task\]/,
  claim: /run: claim-/,
  note: /Task #\d+ noted/,
  done: /Task #\d+ completed/,
}

/** How a command for each goal looks like in a text. */
const LINES = {
  next: /\bgza next\b/,
  claim: /\bgza claim \d+/,
  note: /\bgza note \d+ \\*"…\\*"/,
  done: /\bgza done \d+/,
}

function find(text: string, line: RegExp): string | undefined {
  return line.exec(text)?.[0].replaceAll('\\', '')
}

function run(command: string | undefined, text: string): Step {
  const line = command ?? find(text, /\bgza context\b/) ?? find(text, /\bgza --help\b/)
  return line === undefined ? { say: 'I was told of no command.' } : { run: line }
}
