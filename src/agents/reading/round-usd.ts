/** To a millionth: sums and differences of prices contain the noise of binary fractions. */
export function roundUsd(usd: number): number {
  return Math.round(usd * 1e6) / 1e6
}
