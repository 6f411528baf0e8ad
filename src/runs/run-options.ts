/** What a person asks for when a run is started. */
export interface RunOptions {
  agent?: string
  model?: string
  /** Go on with the agent's session of the last attempt, where it can. */
  resume?: boolean
  takeOver?: boolean
  /** Call the agent again and again until it promises that the work is done. */
  ralph?: boolean
  maxIterations?: number
}
