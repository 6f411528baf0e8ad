/** Criteria as they were listed, except that the Given, When and Then lines of one scenario become one criterion. */
export function joinScenarios(values: readonly { text: string; line: number }[]): { text: string; line: number }[] {
  const criteria: { text: string; line: number }[] = []
  let isScenario = false
  for (const { text, line } of values) {
    const bare = text.replace(/\*\*|__/g, '').trim()
    const last = criteria.at(-1)
    const goesOn: boolean = isScenario && last !== undefined && /^(?:when|then|and|but)\b/i.test(bare)
    if (goesOn && last) last.text += ` ${bare}`
    else criteria.push({ text: bare, line })
    isScenario = goesOn || /^(?:scenario|given|when)\b/i.test(bare)
  }
  return criteria
}
