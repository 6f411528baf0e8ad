/** An amount of disk space for people: `340 MB`, `1.2 GB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.ceil(bytes / 1e3))} kB`
  if (bytes < 1e9) return `${Math.round(bytes / 1e6)} MB`
  return `${(bytes / 1e9).toFixed(1)} GB`
}
