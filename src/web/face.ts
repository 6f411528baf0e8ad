import type { WebHost } from './host.ts'
import type { ServeOptions } from './serve.ts'

/** What the entry point can let this face do. The server is loaded only then. */
export function openFace(host: WebHost) {
  return {
    serve: async (options: ServeOptions): Promise<void> => {
      const { serve } = await import('./serve.ts')
      await serve(options, host)
    },
  }
}
