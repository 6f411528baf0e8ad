/**
 * A strict reader of OpenMetrics text: it throws on everything that the format does not allow, as a scraper may.
 * https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md
 */
export interface MetricFamily {
  type: string
  unit: string | null
  help: string
  /** By their labels as `name=value`, in the order of the text. */
  samples: { name: string; labels: Record<string, string>; value: number }[]
}

export function parseOpenMetrics(text: string): Record<string, MetricFamily> {
  if (!text.endsWith('# EOF\n')) throw new Error('It does not end with # EOF and one line feed')
  const lines = text.slice(0, -'# EOF\n'.length).split('\n')
  if (lines.pop() !== '') throw new Error('# EOF is not a line of its own')
  const families: Record<string, MetricFamily> = {}
  let current: string | null = null
  const seen = new Set<string>()
  for (const line of lines) {
    const about = /^# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line)
    if (about !== null) {
      const [, kind, name, value] = about as unknown as [string, string, string, string]
      if (kind === 'TYPE') {
        if (families[name] !== undefined) throw new Error(`${name} has two families`)
        if (!['counter', 'gauge'].includes(value)) throw new Error(`${name} has the type ${value}`)
        families[name] = { type: value, unit: null, help: '', samples: [] }
        current = name
      }
      const family = families[name]
      if (family === undefined || name !== current || family.samples.length > 0) throw new Error(`Misplaced: ${line}`)
      if (kind === 'UNIT' && !name.endsWith(`_${value}`)) throw new Error(`${name} does not end with its unit ${value}`)
      if (kind === 'UNIT') family.unit = value
      if (kind === 'HELP') family.help = value
      continue
    }
    const sample = readSample(line)
    const family = families[current ?? ''] as MetricFamily
    const name = family.type === 'counter' ? `${current}_total` : current
    if (sample.name !== name) throw new Error(`${sample.name} is in the family ${current}`)
    if (family.type === 'counter' && sample.value < 0) throw new Error(`A counter is negative: ${line}`)
    const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
    if (seen.has(key)) throw new Error(`The same sample twice: ${line}`)
    seen.add(key)
    family.samples.push(sample)
  }
  return families
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+))$/
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/

function readSample(line: string): MetricFamily['samples'][number] {
  const found = SAMPLE.exec(line)
  if (found === null) throw new Error(`Not a sample: ${line}`)
  const [, name = '', inside = '', value] = found
  const labels: Record<string, string> = {}
  for (let rest = inside; rest !== ''; ) {
    const label = LABEL.exec(rest)
    if (label === null) throw new Error(`Not a label: ${rest}`)
    const [whole, key = '', text = ''] = label
    if (Object.hasOwn(labels, key)) throw new Error(`The label ${key} twice: ${line}`)
    labels[key] = text.replaceAll(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))
    rest = rest.slice(whole.length)
  }
  return { name, labels, value: Number(value) }
}
