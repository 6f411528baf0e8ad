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

export type Step = Turn | { say: string }

/** Whether a request that offers these tools is one of the work: clients also ask for a title or a choice of model. */
export function isOfWork(offered: readonly string[], { insists }: Script): boolean {
  return insists ? offered.length > 0 : offered.some((name) => SHELLS.test(name))
}

/** The script's next step in a conversation that has this many results of tools. */
export function nextStep(script: Script, { results, offered }: { results: number; offered: readonly string[] }): Step {
  const turn = script.endless ? script.turns[0] : script.turns[results]
  return isOfWork(offered, script) && turn !== undefined ? turn : { say: script.closing }
}

const SHELLS = /^(bash|shell|shell_command|exec_command|run_shell_command)$/i
