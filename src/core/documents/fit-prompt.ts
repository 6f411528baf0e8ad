import { plural } from '../text/plural.ts'
import { clip, dataBlock, fillPrompt } from './prompt-text.ts'

/** Something that a prompt tells, with the placeholder of the template that it fills. */
export interface PromptPart {
  place: keyof typeof SHARES
  /** What it is and where it comes from. */
  name: string
  text: string
  /** `data`: written by others, so it is put between BEGIN and END lines. */
  form: 'data' | 'list'
  /** It may differ in the next prompt although the same is asked for: what others did meanwhile, and notes. */
  isAside?: true
}

/** How much of a part is in the prompt, in estimated tokens. */
export interface FittedPart {
  name: string
  tokens: number
  /** More than `tokens`: it was cut. */
  whole: number
}

export interface Prompt {
  text: string
  /** Equal for two prompts that ask for the same. */
  key: string
  parts: FittedPart[]
}

/** The most important first. Each may take this share of the whole, so that one long text does not displace the rest. */
const SHARES = {
  task: 0.4,
  criteria: 0.2,
  files: 0.1,
  failure: 0.2,
  review: 0.4,
  diff: 0.7,
  plan: 0.6,
  context: 0.2,
  tasks: 0.05,
}
const PLACES = Object.keys(SHARES) as (keyof typeof SHARES)[]

/** An average for the usual tokenizers on English and code. */
export const CHARACTERS_A_TOKEN = 4

/** Below this a cut text says nothing. */
const FEWEST_TOKENS = 50

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN)
}

/** Fills a template with as much as fits into `most` tokens, and names what was cut. */
export function fitPrompt(
  template: string,
  { parts, words, most }: { parts: readonly PromptPart[]; words: Readonly<Record<string, string>>; most: number },
): Prompt {
  const fitted = fitParts(
    parts.filter(({ text }) => text.trim() !== ''),
    most - estimateTokens(template),
  )
  const fill = (chosen: readonly Fitted[]) => fillPrompt(template, { ...words, ...valuesOf(chosen) })
  const used = fitted.filter(({ part }) => template.includes(`{${part.place}}`))
  const instructions = estimateTokens(fill([]))
  return {
    text: fill(fitted) + cutLine(used),
    key: fill(fitted.filter(({ part }) => !part.isAside)),
    parts: [
      { name: 'instructions', tokens: instructions, whole: instructions },
      ...used.map(({ part, shown }) => {
        return { name: part.name, tokens: estimateTokens(shown), whole: estimateTokens(part.text) }
      }),
    ],
  }
}

interface Fitted {
  part: PromptPart
  shown: string
}

/** In the order of the parts; those of the first places choose first. */
function fitParts(parts: readonly PromptPart[], most: number): Fitted[] {
  const shown = new Map<PromptPart, string>()
  let left = most
  for (const place of PLACES) {
    let room = Math.min(left, Math.floor(most * SHARES[place]))
    for (const part of parts.filter((each) => each.place === place)) {
      const text = cutTo(part.text, room)
      shown.set(part, text)
      room -= estimateTokens(text)
      left -= estimateTokens(text)
    }
  }
  return parts.map((part) => ({ part, shown: shown.get(part) ?? '' }))
}

function cutTo(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  return tokens < FEWEST_TOKENS ? '' : clip(text, tokens * CHARACTERS_A_TOKEN)
}

function valuesOf(fitted: readonly Fitted[]): Record<string, string> {
  return Object.fromEntries(
    PLACES.map((place) => [
      place,
      fitted
        .filter(({ part, shown }) => part.place === place && shown !== '')
        .map(({ part, shown }) => (part.form === 'data' ? dataBlock(part.name, shown) : shown))
        .join('\n'),
    ]),
  )
}

function cutLine(fitted: readonly Fitted[]): string {
  const cut = fitted.filter(({ part, shown }) => shown !== part.text)
  if (cut.length === 0) return ''
  const names = cut.map(({ part, shown }) => {
    const whole = plural(estimateTokens(part.text), 'token')
    return `- ${part.name}: ${shown === '' ? `left out, about ${whole}` : `shortened, the whole has about ${whole}`}`
  })
  return `\nThis prompt has a limit, so these texts are not complete in it:\n${names.join('\n')}\n`
}
