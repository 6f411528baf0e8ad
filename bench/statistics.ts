/** Measurements as the table shows them: the median, and the quartiles as the spread. */
export interface Summary {
  median: number
  low: number
  high: number
  n: number
}

export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: at(sorted, 0.5), low: at(sorted, 0.25), high: at(sorted, 0.75), n: sorted.length }
}

/** Interpolated if the share falls between two measurements. */
function at(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}
