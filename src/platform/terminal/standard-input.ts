/** The bytes of standard input as they arrive. One that is closed, or cannot be read, has ended. */
export async function* standardInput(): AsyncIterable<Uint8Array> {
  try {
    yield* Bun.stdin.stream()
  } catch {
    // The writer is gone.
  }
}
