import { isOfWork, nextStep, type Script } from './model-script.ts'
import { anthropic } from './wire/anthropic.ts'
import { completions } from './wire/completions.ts'
import { gemini } from './wire/gemini.ts'
import { responses } from './wire/responses.ts'
import { textsIn, type Wire } from './wire/wire.ts'

/**
 * A model on loopback for the real clients: it speaks their four wire formats and follows a script instead of thinking.
 * The name of the scenario is the first part of the address, so that one server serves many runs.
 */
export interface ModelServer {
  /** Gives a scenario a script, in place of the one that it had, and returns its base address. */
  play(scenario: string, script: Told): string
  /** The requests to a scenario's model, as the clients sent them. */
  requests(scenario: string): string[]
  stop(): void
}

/** A script, or a function that chooses one by the client's request: each phase of a review cycle begins a conversation. */
export type Told = Script | ((request: string) => Script)

const WIRES: readonly Wire[] = [anthropic, responses, completions, gemini]

export function startModelServer(): ModelServer {
  const scripts = new Map<string, { told: Told; refused: number }>()
  const asked: { scenario: string; text: string }[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const [, scenario = '', ...rest] = new URL(request.url).pathname.split('/')
      const play = scripts.get(scenario)
      if (!play) return new Response('no such scenario', { status: 404 })
      const path = `/${rest.join('/')}`
      const wire = WIRES.find(({ isFor }) => isFor(path))
      // Clients look for models, quotas and counts of tokens too, and take an empty answer well.
      if (!wire) return Response.json({})
      const text = await request.text()
      asked.push({ scenario, text })
      const script = typeof play.told === 'function' ? play.told(text) : play.told
      const ask = { path, body: JSON.parse(text) }
      script.watch?.()
      return refuse(script, wire, { body: ask.body, play }) ?? answer(script, wire, ask)
    },
  })
  return {
    play: (scenario, script) => {
      scripts.set(scenario, { told: script, refused: 0 })
      return `http://127.0.0.1:${server.port}/${scenario}`
    },
    requests: (scenario) => asked.filter((each) => each.scenario === scenario).map(({ text }) => text),
    stop: () => void server.stop(true),
  }
}

/** Null if this request is not refused, or no longer. */
function refuse(
  script: Script,
  wire: Wire,
  { body, play }: { body: unknown; play: { refused: number } },
): Response | null {
  const { refusal } = script
  if (refusal === undefined) return null
  const { status, headers = {}, times = Number.POSITIVE_INFINITY } = refusal
  const isCounted = isOfWork(
    wire.tools(body).map(({ name }) => name),
    script,
  )
  if (play.refused >= times || (!isCounted && Number.isFinite(times))) return null
  play.refused += 1
  return Response.json(refusal.body ?? wire.refuse(status), { status, headers })
}

function answer(script: Script, wire: Wire, ask: { path: string; body: unknown }): Response {
  const { body } = ask
  const seen = { results: wire.results(body), tools: wire.tools(body), text: textsIn(body) }
  return wire.answer(ask, nextStep(script, seen))
}
