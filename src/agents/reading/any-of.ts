/** One case-insensitive pattern from several: a list of messages is easier to read than one long line. */
export function anyOf(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'i')
}
