import { join } from 'node:path'
import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { readTextIfThere, writeText } from '../../platform/files/files.ts'
import { type Env, runGit } from '../../platform/git/git.ts'
import { runInherited } from '../../platform/processes/run-inherited.ts'
import { LONG_WORDS, QUESTION, QUEUED_PARTS, type QueuedPart, textOf } from './demo-queue.ts'
import { SHOP_PARTS, type ShopPart } from './demo-shop.ts'

const THINKING_MS = 500

/**
 * The agent of the demonstration. It knows four answers, one of them wrong at first. Everything else is real: it reads
 * its prompt, writes the file, commits it, and corrects itself only if the prompt contains the failure. As a reviewer
 * it reads the file and writes its review. Yields the messages that it prints while it works.
 */
export async function* playDemoAgent(prompt: string, place: Place): AsyncGenerator<string> {
  const queued = place.env.GZA_DEMO === '1' && QUEUED_PARTS.find(({ file }) => prompt.includes(file))
  if (queued) return yield* playQueued(queued, prompt, place)
  const part = partFor(prompt, place.env)
  const output = /^3\. Write the review as markdown to (\S+\.md):/m.exec(prompt)?.[1]
  yield* output === undefined ? work(part, prompt, place) : review(part, output, place)
}

interface Place {
  cwd: string
  env: Env
}

async function* work(part: ShopPart, prompt: string, place: Place): AsyncGenerator<string> {
  const failure = /^[^:\n]*: expected .*, got .*$/m.exec(prompt)?.[0]
  const point = part.review && prompt.includes(part.review.point) ? part.review : undefined
  yield* slowly(`I read the task: ${part.content}`, `The test is ${part.file.replace('lib', 'tests')}`)
  if (failure) yield* slowly(`My last attempt failed: ${failure}`, 'It cut the cents off; they must be rounded')
  if (point) yield* slowly(`The review says: ${point.point}`)
  yield* slowly(`I write ${part.file}`)
  const { text, message } = point ?? ((failure && part.correction) || { text: part.text, message: part.content })
  writeText(join(place.cwd, part.file), text)
  yield* slowly(`I committed ${commit([part.file], message, place)}`)
}

async function* review(part: ShopPart, output: string, { cwd }: Place): AsyncGenerator<string> {
  const isMissed = part.review !== undefined && readTextIfThere(join(cwd, part.file)) !== part.review.text
  const points = isMissed ? [`1. ${part.review?.point}`] : ['Nothing blocks it.']
  const verdict = `**Verdict: ${isMissed ? 'CHANGES_REQUESTED' : 'APPROVED'}**`
  yield* slowly(`I review ${part.file}`, ...points)
  writeText(join(cwd, output), [...points, verdict].map((line) => `${line}\n`).join('\n'))
  yield verdict
}

async function* playQueued(part: QueuedPart, prompt: string, place: Place): AsyncGenerator<string> {
  yield* slowly(`I read the task: ${part.content}`)
  const answer = prompt.slice(prompt.lastIndexOf(QUESTION) + 1)
  if (part.acts === 'asks' && !prompt.includes(QUESTION)) return yield* ask(prompt, place)
  if (part.acts === 'gives up') return yield* slowly('The bank is not reachable from here', 'I give up')
  if (part.acts === 'takes long')
    for (let page = 1; page <= LONG_PAGES; page++) yield* slowly(`I write page ${page}`, ...LONG_WORDS)
  yield* slowly(`I write ${part.file}`)
  writeText(join(place.cwd, part.file), textOf(part, answer))
  if (part.extra) writeText(join(place.cwd, part.extra.file), part.extra.text)
  commit([part.file, ...(part.extra ? [part.extra.file] : [])], part.content, place)
}

/** It takes about ten minutes, unless it is stopped. */
const LONG_PAGES = 200

async function* ask(prompt: string, { cwd, env }: Place): AsyncGenerator<string> {
  const task = /\btask-[0-9a-f]{4,}\b/.exec(prompt)?.[0] ?? ''
  yield QUESTION
  await runInherited(['gza', 'ask', task, QUESTION], { cwd, env })
}

function commit(files: readonly string[], message: string, { cwd, env }: Place): string {
  const git = (...args: string[]) => runGit({ dir: cwd, env }, args).toString().trim()
  git('add', ...files)
  git('commit', '--quiet', '--message', message)
  return git('rev-parse', '--short', 'HEAD')
}

async function* slowly(...sentences: string[]): AsyncGenerator<string> {
  for (const sentence of sentences) {
    yield sentence
    await Bun.sleep(THINKING_MS)
  }
}

/** It writes files and commits, so it only runs where the demonstration has started it. */
function partFor(prompt: string, env: Env): ShopPart {
  const part = env.GZA_DEMO === '1' && SHOP_PARTS.find(({ file }) => prompt.includes(file))
  if (part) return part
  throw new UserError('ONLY_IN_DEMO', sentence`This agent only runs in ${command`demo`}`, {
    hint: command`demo`,
  })
}
