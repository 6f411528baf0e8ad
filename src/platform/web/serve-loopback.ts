import { UserError } from '../../core/user-error.ts'

/** Answers one request. `peerPort`: the port of the process that sent it; null if it is gone already. */
export type AnswerRequest = (request: Request, peerPort: number | null) => Response | Promise<Response>

export interface LoopbackServer {
  port: number
  stop(): Promise<void>
}

/** More than any text of a task, and little enough that nobody can fill the memory. */
const MOST_BODY_BYTES = 2_000_000

/** Serves HTTP at 127.0.0.1 and nowhere else. Port 0 takes a free one. */
export function serveLoopback(port: number, answer: AnswerRequest): LoopbackServer {
  try {
    return serveAt(port, answer)
  } catch (error) {
    if (!['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException)?.code ?? '')) throw error
    throw new UserError('PORT_TAKEN', `Port ${port} of 127.0.0.1 cannot be used: another program has it`, {
      hint: 'Leave --port out: gza then takes a free one.',
      cause: error,
    })
  }
}

function serveAt(port: number, answer: AnswerRequest): LoopbackServer {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    // A stream of events may be silent for hours.
    idleTimeout: 0,
    maxRequestBodySize: MOST_BODY_BYTES,
    development: false,
    // Bun's default without `development`. Any process of this user could then take a share of the connections, and with
    // them the token and the bearer of a page.
    reusePort: false,
    fetch: (request: Request, own: Bun.Server<undefined>): Response | Promise<Response> =>
      answer(request, own.requestIP(request)?.port ?? null),
  })
  return { port: server.port as number, stop: () => server.stop(true) }
}
