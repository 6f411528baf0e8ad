type Seen<T> = T | null | undefined | false

/** Waits until a look shows what is waited for, and gives what it saw. */
export async function until<T>(look: () => Seen<T> | Promise<Seen<T>>, what = look.toString()): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await Bun.sleep(20)) {
    const seen = await look()
    if (seen) return seen
  }
  throw new Error(`It never came: ${what}`)
}

/** Far more than it takes, also on a busy machine, and less than a test may take. */
const PATIENCE_MS = 90_000
