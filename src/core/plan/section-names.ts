/** Headings that hold no tasks, whatever lists stand below them. */
export function isAboutPlan(title: string): boolean {
  return ABOUT.test(plainWords(title))
}

/** Headings whose lists are the tasks, even where nothing else shows it. */
export function isTaskSection(title: string): boolean {
  return TASKS.test(plainWords(title))
}

function plainWords(title: string): string {
  return title
    .toLowerCase()
    .replace(/^[\d.)\s]+/, '')
    .replace(/[^\p{L}\p{N}\s/&-]/gu, '')
    .trim()
}

const ABOUT = new RegExp(
  `^(?:${[
    'overview|context|background|summary|introduction|motivation|problem.*|purpose|vision|tl ?dr|executive summary',
    'goals?|non-?goals?|objectives?|scope|out of scope|in scope|assumptions?|constraints?|requirements?|decisions?.*',
    'architecture.*|design.*|tech(?:nical|nology)? (?:stack|approach|design|context|details|decisions).*|stack|approach',
    '(?:key |critical |relevant |affected )?files.*|(?:file|project|directory|folder) structure.*|components?|data model|api.*|schema',
    'risks?.*|mitigations?.*|open questions?|questions?|trade-?offs?|alternatives?.*|notes?|remarks|caveats?|references?|links?|appendix.*|glossary',
    'acceptance criteria|success (?:criteria|metrics)|definition of done|done when|exit criteria|metrics|deliverables?',
    'test(?:ing)? (?:strategy|plan|approach)|testing|verification.*|validation.*|quality.*|manual (?:testing|checks|verification).*|review checklist|checklist before.*',
    'dependenc(?:y|ies).*|prerequisites?|pre-?requisites?|parallel.*|execution (?:order|strategy|handoff).*|order of execution|critical path|implementation strategy|implementation order',
    'timeline|schedule|estimates?|effort.*|rollout.*|roll-?back.*|deployment notes?|monitoring|security considerations?|performance considerations?|future.*|later|nice to haves?|format.*|path conventions|progress.*|status|change ?log|history|legend|self-?review.*|remember',
  ].join('|')})$`,
)

const TASKS =
  /^(?:(?:implementation |development |detailed |high-level |execution |action |proposed )?(?:tasks?|steps?|plan|todos?|to-?do(?: list)?|roadmap|checklist|backlog|work items?|action items?|breakdown|task (?:list|breakdown)|changes)|work breakdown(?: structure)?|implementation|what to do|next steps)$/
