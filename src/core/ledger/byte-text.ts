/**
 * Bytes that are not UTF-8, in a string and back without loss: each byte above 0x7f becomes a lone surrogate, which no
 * UTF-8 text can contain. Unreadable lines of a ledger are kept this way.
 */
export function textOfBytes(bytes: Buffer): string {
  return bytes.toString('latin1').replace(HIGH_BYTE, (byte) => String.fromCharCode(SURROGATES + byte.charCodeAt(0)))
}

export function bytesOfText(text: string): Buffer {
  if (text.isWellFormed()) return utf8(text)
  const parts = text.split(LONE_SURROGATE).map((part, at) => (at % 2 === 0 ? Buffer.from(part) : byteOf(part)))
  return Buffer.concat(parts)
}

/** Not Buffer.from, which the runtime compiles from its source when it is first called: a third of a millisecond. */
export function utf8(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

const SURROGATES = 0xdc00
const HIGH_BYTE = /[\u0080-\u00ff]/g
const LONE_SURROGATE = /([\udc80-\udcff])/u

function byteOf(surrogate: string): Buffer {
  return Buffer.of(surrogate.charCodeAt(0) - SURROGATES)
}
