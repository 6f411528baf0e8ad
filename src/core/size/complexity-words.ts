/** The words that make a task hard or unclear. Each idea counts once, however many of its words are there. */

/** Ideas that are hard to implement, such as algorithms and asynchronous code. */
const HARD: Record<string, string> = {
  algorithm: 'algorithm(?:s|ic)?|heuristics?|recursi(?:ve|on)|optimi[sz](?:e|es|ed|ation)|dynamic programming',
  concurrency:
    'async(?:hronous(?:ly)?)?|concurren(?:t|tly|cy)|parallel(?:ism)?|threads?|threading|race conditions?|deadlocks?|mutex',
  distribution: 'distributed|consensus|replicat(?:ion|ed)|shard(?:s|ed|ing)|eventual(?:ly)? consisten(?:t|cy)',
  migration: 'migrations?|migrate[sd]?|backfills?|schema changes?',
  security:
    'security|auth|authenticat(?:e|es|ed|ion)|authori[sz](?:e|es|ed|ation)|oauth2?|jwt|encrypt(?:s|ed|ion)?|' +
    'cryptograph(?:y|ic)|permissions?|csrf|xss|sandbox(?:ed|ing)?',
  integration: 'integrat(?:es?|ed|ions?)(?! tests?)|third[- ]party|external (?:api|service)s?|webhooks?|sdk',
  transactions: 'transaction(?:s|al)?|rollbacks?|idempoten(?:t|ce|cy)|state machines?|atomic(?:ally|ity)?',
  performance: 'performance|cach(?:e|es|ed|ing)|latency|throughput|memory leaks?|profiling|scal(?:able|ability)',
  events: 'real[- ]?time|websockets?|streaming|event[- ]driven|pub/?sub|message queues?',
  language: 'parsers?|compilers?|interpreters?|grammars?|abstract syntax trees?|regular expressions?',
  redesign: 'refactor(?:s|ed|ing)?|rewrit(?:e|es|ing)|architectur(?:e|al)|legacy|backwards?[- ]compatib(?:le|ility)',
  mathematics: 'machine learning|neural|statistic(?:s|al)|numerical|geometr(?:y|ic)',
}

const ANY_HARD = words(
  Object.entries(HARD)
    .map(([idea, alternatives]) => `(?<${idea}>${alternatives})`)
    .join('|'),
)

/** Words that leave the meaning to the reader. */
const VAGUE = words(
  'somehow|something|maybe|perhaps|possibly|probably|etc|and so on|various|several|appropriate(?:ly)?|' +
    '(?:as|if|when|where) (?:needed|necessary|appropriate|possible)|tb[acd]|undecided|to be (?:agreed|confirmed|decided|determined|defined)|' +
    'unclear|not sure|user[- ]friendly|intuitive|nice(?:ly|r)?|better|good enough|some kind of|sort of|kind of|' +
    'flexible|robust|reasonable|properly|stuff|things|look into|figure out|clean ?up|or similar|where it makes sense',
)

/** The hard ideas in a text, each with the words that named it. */
export function hardIdeas(text: string): Map<string, string[]> {
  const ideas = new Map<string, Set<string>>()
  for (const { 0: match, groups = {} } of text.matchAll(ANY_HARD)) {
    const idea = Object.keys(groups).find((name) => groups[name] !== undefined) ?? ''
    ideas.set(idea, (ideas.get(idea) ?? new Set()).add(plain(match)))
  }
  return new Map(Object.keys(HARD).flatMap((idea) => (ideas.has(idea) ? [[idea, [...(ideas.get(idea) ?? [])]]] : [])))
}

/** The vague words of a text, each once. */
export function vagueWords(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(VAGUE), ([match]) => plain(match)))]
}

/** A text that only means that something is not known yet: `TBD`, `?`. */
export function isUndecided(text: string): boolean {
  return UNDECIDED.test(text.replace(/[*_`]/g, '').trim())
}

const UNDECIDED =
  /^(?:\?+|(?:tb[acd]|to ?do|undecided|unknown|to be (?:agreed|confirmed|decided|determined|defined))\b[\s.?!…]*(?:\([^)]*\))?)$/i

function plain(words: string): string {
  return words.toLowerCase().replace(/\s+/g, ' ')
}

// One pattern for all words, and no Unicode classes: twelve patterns took ten times as long.
function words(alternatives: string): RegExp {
  return new RegExp(`\\b(?:${alternatives.replaceAll(' ', '\\s')})\\b`, 'gi')
}
