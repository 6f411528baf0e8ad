/** Headings that contain no tasks, whatever lists are below them. */
export function isAboutPlan(title: string): boolean {
  return ABOUT.test(plainWords(title))
}

/** Headings that are about the plan, unless they are in a phase or have checkboxes: "API", "Testing". */
export function maybeAboutPlan(title: string): boolean {
  return MAYBE_ABOUT.test(plainWords(title))
}

/** Headings of what is not to be done now. */
export function isForLater(title: string): boolean {
  return /^(?:future.*|later|nice to haves?|out of scope)$/.test(plainWords(title))
}

/** Headings that may explain or list the work: "Approach". */
export function maybeTaskSection(title: string): boolean {
  return /^(?:(?:proposed |technical |implementation |our )?(?:approach|solution|strategy|design)|how)$/.test(
    plainWords(title),
  )
}

/** Words before a colon that begin a remark, not a task. */
export function beginsRemark(text: string): boolean {
  return REMARK.test(text.replaceAll('**', ''))
}

/** Headings whose lists are the tasks, even without any other sign. */
export function isTaskSection(title: string): boolean {
  return TASKS.test(plainWords(title))
}

function plainWords(title: string): string {
  return title
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/^[\d.)\s]+/, '')
    .replace(/[^\p{L}\p{N}\s/&-]/gu, '')
    .trim()
}

const ABOUT = new RegExp(
  `^(?:${[
    'overview|context|background|summary|introduction|motivation|problem.*|purpose|vision|tl ?dr|executive summary',
    '(?:high-level |key )?goals?|non-?goals?|objectives?|scope|out of scope|in scope|assumptions?|constraints?|requirements?|decisions?.*',
    'architecture|design|tech(?:nical|nology)? (?:stack|approach|design|context|details|decisions).*|stack|approach',
    '(?:key |critical |relevant |affected )?files.*|(?:file|project|directory|folder) structure.*',
    'risks?.*|mitigations?.*|open questions?|questions?|trade-?offs?|alternatives?.*|notes?|remarks|caveats?|references?|links?|appendix.*|glossary',
    'acceptance criteria.*|success (?:criteria|metrics).*|definition of (?:done|ready).*|done when|exit criteria|metrics|deliverables?',
    'test(?:ing)? (?:strategy|plan|approach)|verification.*|manual (?:testing|checks|verification).*|review checklist|checklist before.*',
    'dependenc(?:y|ies).*|prerequisites?|pre-?requisites?|parallel.*|execution (?:order|strategy|handoff).*|order of execution|critical path|implementation strategy|implementation order',
    'timeline|schedule|estimates?|effort.*|deployment notes?|security considerations?|performance considerations?|future.*|later|nice to haves?|format.*|path conventions|progress.*|status|change ?log|history|legend|self-?review.*|remember',
  ].join('|')})$`,
)

const MAYBE_ABOUT =
  /^(?:architecture.*|design.*|components?|data model|api.*|schema.*|testing|validation.*|quality.*|monitoring.*|rollout.*|roll-?back.*)$/

const REMARK =
  /^(?:notes?|nb|warning|caution|tip|important|goals?|objective|purpose|context|background|rationale|why|risks?|assumptions?|(?:out of )?scope|non-?goals?|estimates?|effort|duration|owner|assignee|deliverables?|outcome|checkpoint|references?|see also|links?)\s*:/i

const TASKS =
  /^(?:(?:implementation |development |detailed |high-level |execution |action |proposed )?(?:tasks?|steps?|plan|todos?|to-?do(?: list)?|roadmap|checklist|backlog|queue|work items?|action items?|breakdown|task (?:list|breakdown)|changes)|work breakdown(?: structure)?|implementation|what to do|next steps|(?:[a-z/-]+ ){1,2}tasks)$/
