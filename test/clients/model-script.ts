/** What the model does in one conversation, decided beforehand. */
export interface Script {
  /** One tool call a turn, in order; after the last one the model answers `closing`. */
  turns: readonly Turn[]
  closing: string
  /** The first turn again and again. */
  endless?: boolean
  /** Calls its tools also where the client does not offer them. */
  insists?: boolean
  /** Every request is refused with this HTTP status instead. */
  status?: number
  /** Called before each answer. */
  watch?: () => void
}

/** A shell command, or a file to write with the client's own tool for that. */
export type Turn = { run: string } | { write: string }

export type Step = Turn | { say: string }

/** The script's next step in a conversation that has this many results of tools. */
export function nextStep(script: Script, { results, offered }: { results: number; offered: readonly string[] }): Step {
  const canWork = script.insists ? offered.length > 0 : offered.some((name) => SHELLS.test(name))
  const turn = script.endless ? script.turns[0] : script.turns[results]
  return canWork && turn !== undefined ? turn : { say: script.closing }
}

/** Clients also ask without tools, for a title or a choice of model: those requests are not turns. */
const SHELLS = /^(bash|shell|shell_command|exec_command|run_shell_command)$/i
