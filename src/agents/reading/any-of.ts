/** One pattern of several, whatever the case: a list of messages reads better than one long line. */
export function anyOf(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'i')
}
