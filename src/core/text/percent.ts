/** Rounded down: everything is done only when everything is. */
export function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((100 * part) / whole)}%`
}
