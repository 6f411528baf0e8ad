/** The fields of a structured plan, under the many names that tools give them. Case, `_` and `-` make no difference. */
const NAMES = {
  title: 'title name summary task subject',
  text: 'description content body details notes prompt instructions goal rationale steps implementationnotes',
  strategy: 'teststrategy',
  key: 'id key taskid ref',
  story: 'userstory story',
  criteria: 'acceptancecriteria criteria acceptance donewhen definitionofdone successcriteria ac',
  create: 'filestocreate createfiles newfiles create creates',
  modify: 'filestomodify modifyfiles filestochange filestoupdate modify modifies modifiedfiles',
  tests: 'testfiles tests filestotest test',
  files: 'files filepaths affectedfiles',
  waits: 'dependencies dependson depends after blockedby requires deps needs prerequisites',
  milestone: 'milestoneid milestone phase sprint epic',
  priority: 'priority prio',
  complexity: 'estimatedcomplexity complexity size',
  status: 'status state done completed',
  attempts: 'maxattempts',
  linear: 'linearissueid',
  locks: 'locks lock',
  type: 'type',
  children: 'subtasks children tasks taskids',
  order: 'order',
  // Fields that other tools keep for their own use.
  ignored:
    'attempts error createdat updatedat closedat created updated tags labels estimate assignee assignedagent metadata complexityscore recommendedsubtasks expansionprompt version project parentid parenttaskid reasoning',
} as const

export type StructuredField = keyof typeof NAMES

const FIELDS = new Map(
  Object.entries(NAMES).flatMap(([field, names]) => names.split(' ').map((name) => [name, field as StructuredField])),
)

export function structuredField(name: string): StructuredField | undefined {
  return FIELDS.get(name.toLowerCase().replace(/[_\-\s]/g, ''))
}

/** Lists at the top of a plan: of milestones, and of tasks. */
export function isMilestoneList(name: string): boolean {
  return /^(?:milestones|phases|epics|sprints|stages|iterations)$/i.test(name)
}

export function isTaskList(name: string): boolean {
  return /^(?:tasks|steps|items|todos|stories)$/i.test(name)
}
