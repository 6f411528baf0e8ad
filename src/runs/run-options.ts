/** What a person asks for when a run is started. */
export interface RunOptions {
  agent?: string
  /** Null: the client chooses, whatever is configured. */
  model?: string | null
  /** Continue the agent's session of the last attempt, if the agent can. */
  resume?: boolean
  takeOver?: boolean
  /** Call the agent repeatedly until it promises that the work is done. */
  ralph?: boolean
  maxIterations?: number
  /** How the base fails its own checks; null: it does not. */
  baseRed?: string | null
}
