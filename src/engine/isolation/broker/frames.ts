/** A frame is the length of what follows, as four bytes with the highest first, and as many bytes of JSON. */
const HEADER = 4

export function frameOf(value: unknown): Uint8Array {
  const body = Buffer.from(JSON.stringify(value))
  const frame = Buffer.allocUnsafe(HEADER + body.length)
  frame.writeUInt32BE(body.length)
  body.copy(frame, HEADER)
  return frame
}

/** `excess`: more than one frame, or a length that nobody may send. */
export type ReadFrame = { kind: 'incomplete' } | { kind: 'whole'; body: Uint8Array } | { kind: 'excess' }

/**
 * Reads one frame from pieces of any size. Memory is taken once the length is known, and as much as it says: pieces that
 * are kept one by one would take a hundred times as much if each is one byte.
 */
export function frameReader(most: number): (piece: Uint8Array) => ReadFrame {
  const header = Buffer.alloc(HEADER)
  let body: Buffer | null = null
  let received = 0
  return (piece) => {
    let rest = piece
    if (body === null) {
      const taken = rest.subarray(0, HEADER - received)
      header.set(taken, received)
      received += taken.length
      rest = rest.subarray(taken.length)
      if (received < HEADER) return INCOMPLETE
      const length = header.readUInt32BE()
      if (length > most) return EXCESS
      body = Buffer.allocUnsafe(length)
    }
    const at = received - HEADER
    if (rest.length > body.length - at) return EXCESS
    body.set(rest, at)
    received += rest.length
    return received < HEADER + body.length ? INCOMPLETE : { kind: 'whole', body }
  }
}

const INCOMPLETE = { kind: 'incomplete' } as const
const EXCESS = { kind: 'excess' } as const
