/** The text, or null where the bytes are not UTF-8. Nothing is lost: a byte order mark at the beginning stays. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
