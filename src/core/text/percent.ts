/** Rounded down: 100% appears only when everything is done. */
export function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((100 * part) / whole)}%`
}
