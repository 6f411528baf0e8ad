const BEGIN = '<!-- gza:begin -->'
const END = '<!-- gza:end -->'

/** The longest description that GitHub accepts. */
const LONGEST = 65_536

/**
 * The text with the section between gza's marks: in the place of an earlier one, otherwise at the end. Everything
 * outside the marks belongs to people and stays unchanged.
 */
export function putSection(text: string, section: string): string {
  const end = text.lastIndexOf(END)
  const begin = end < 0 ? -1 : text.lastIndexOf(BEGIN, end)
  const [before, after] = begin < 0 ? [withGap(text), ''] : [text.slice(0, begin), text.slice(end + END.length)]
  const available = LONGEST - before.length - after.length - BEGIN.length - END.length - 2
  return `${before}${BEGIN}\n${cutTo(section.trim(), available)}\n${END}${after}`
}

function withGap(text: string): string {
  return text.trim() === '' ? '' : `${text.trimEnd()}\n\n`
}

const CUT = '\n\n(More tasks than a description can hold.)'

function cutTo(section: string, available: number): string {
  if (section.length <= available) return section
  const whole = section.slice(0, Math.max(0, available - CUT.length))
  return whole.slice(0, Math.max(0, whole.lastIndexOf('\n'))) + CUT
}
