/** What the model does in one conversation, decided beforehand. */
export interface Script {
  /** One tool call a turn, in order; after the last one the model answers `closing`. */
  turns: readonly Turn[]
  closing: string
  /** The first turn again and again. */
  endless?: boolean
  /** Calls its tools also where the client does not offer them. */
  insists?: boolean
  /** Requests are refused instead. */
  refusal?: Refusal
  /** Called before each answer. */
  watch?: () => void
  /** Decides each turn by what the model was sent, instead of `turns`. */
  decide?: (seen: Seen) => Step
}

/** What a model is sent. */
export interface Seen {
  tools: readonly OfferedTool[]
  /** All texts: instructions, prompts and results of tools, but not what the model has written itself. */
  text: string
  /** How many results of tools there are. */
  results: number
}

export interface OfferedTool {
  name: string
  /** The schema of its arguments. */
  schema: unknown
  /** The group that it is in, if the client calls its tools by group and name. */
  namespace?: string
}

export interface Refusal {
  status: number
  /** In place of the short answer that says nothing but the status. */
  body?: unknown
  headers?: Record<string, string>
  /** After so many refused requests the model follows the script; without it, never. */
  times?: number
}

/** A shell command, or a file to write with the client's own tool for that. */
export type Turn = { run: string } | { write: string }

export type Step = Turn | ToolCall | { say: string }

/** Any tool that the client offers. */
export interface ToolCall {
  call: string
  input: Readonly<Record<string, unknown>>
  namespace?: string
}

/** Whether a request that offers these tools is one of the work: clients also ask for a title or a choice of model. */
export function isOfWork(offered: readonly string[], { insists }: Script): boolean {
  return insists ? offered.length > 0 : offered.some((name) => SHELLS.test(name))
}

/** The script's next step in a conversation in which the model has seen this. */
export function nextStep(script: Script, seen: Seen): Step {
  const { results } = seen
  const offered = seen.tools.map(({ name }) => name)
  if (script.decide) return isOfWork(offered, script) ? script.decide(seen) : { say: script.closing }
  const turn = script.endless ? script.turns[0] : script.turns[results]
  return isOfWork(offered, script) && turn !== undefined ? turn : { say: script.closing }
}

const SHELLS = /^(bash|shell|shell_command|exec_command|run_shell_command)$/i
