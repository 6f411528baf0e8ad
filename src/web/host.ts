/** What the server gets from outside of the program. The entry point passes it in, because faces do not import platform. */
export interface WebHost {
  /** Throws UserError PORT_TAKEN if another program uses the port. */
  listen(port: number, answer: AnswerRequest): Listening
  /** The processes at the other end of a connection. */
  peers(serverPort: number, peerPort: number): number[]
  readFile(path: string): Promise<Uint8Array>
  watchRefs(commonDir: string, changed: () => void): { close(): void }
  /** The present, in milliseconds since 1970. */
  clock(): number
  commands: StartedCommands
  browser: Browsers
  running: RunningServers
  preferences: Preferences
}

/** What a person has chosen for the page, in all repositories. */
export interface Preferences {
  read(): Record<string, string>
  write(preferences: Readonly<Record<string, string>>): void
}

export interface Browsers {
  /** False: no browser can be opened here. */
  open(address: string, token: string): boolean
  /** The token was used: the file that led the browser to it is removed. */
  forget(token: string): void
  /** Removes the files whose tokens are too old. */
  removeOld(olderThanMs: number): void
}

/** How a second call finds the server that shows a repository already. */
export interface RunningServers {
  offer(id: string, give: (pid: number) => Promise<Given>): Promise<{ stop(): void } | null>
  ask(id: string): Promise<Given | null>
}

/** The address with a fresh token and what it shows, or why there is none. */
export type Given = { address: string; repositories: string[]; readOnly: boolean } | { refused: string }

export type AnswerRequest = (request: Request, peerPort: number | null) => Response | Promise<Response>

export interface Listening {
  port: number
  stop(): Promise<void>
}

/** Commands of gza as processes of their own, which continue when the server ends. */
export interface StartedCommands {
  /** Returns when it has ended, or after a moment in which it has not. */
  start(order: { id: string; cwd: string; args: readonly string[]; ended: () => void }): Promise<StartedCommand>
  /** Those of one repository, the newest first. */
  list(id: string): StartedCommand[]
}

export interface StartedCommand {
  id: string
  args: string[]
  pid: number
  started_at: string
  isRunning: boolean
  /** Null: it has not ended, or no server was there when it did. */
  code: number | null
  /** The file with what it prints. */
  output: string
  /** The last lines of it. */
  lines: string[]
}
