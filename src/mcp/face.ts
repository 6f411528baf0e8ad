import type { Answer, Place } from './answer.ts'
import type { Streams } from './line-transport.ts'
import type { ServeOptions } from './serve.ts'

/** The two things that the entry point can let this face do. The protocol itself is loaded only for the first. */
export function openFace(streams: Pick<Streams, 'input' | 'write'>) {
  return {
    serve: async (options: Omit<ServeOptions, keyof typeof streams>): Promise<void> => {
      const { serve } = await import('./serve.ts')
      await serve({ ...options, ...streams })
    },
    answer: async ({ cwd, env }: Place, request: string): Promise<string> => {
      const { answerBoxed } = await import('./boxed.ts')
      const answered: Answer = await answerBoxed({ cwd, env }, request)
      return JSON.stringify(answered)
    },
  }
}
