/** The name of a resource that only one task or check at a time may use: `db`. */
export function isLockName(text: string): boolean {
  return /^[A-Za-z0-9][\w.:-]{0,59}$/.test(text)
}
