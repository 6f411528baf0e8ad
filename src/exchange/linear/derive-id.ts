import { createHash } from 'node:crypto'

/**
 * A UUID that is always the same for the same thing. Linear accepts the ids of new things from the client. If a thing
 * is created again, after a time-out or on another machine, the request has the same id, and no duplicate can be made.
 */
export function deriveId(kind: 'issue' | 'label' | 'milestone' | 'project' | 'relation', ...names: string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(['gza', kind, ...names]))
    .digest()
  // Linear requires version 4, whose other bits are free.
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x40
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  const hex = digest.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}
