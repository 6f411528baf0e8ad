import type { CliCommand } from '../command.ts'

/**
 * Which commands each section defines. Texts, because each list of another length would take a heap block of 16 KB, and
 * every call reads this.
 */
const NAMES = {
  add: 'add',
  plan: 'edit delete restore move undo redo import plan breakdown score split todo archive',
  list: 'list',
  look: 'ready next show',
  lookCloser: 'search status groups milestones tree where graph log query',
  work: 'done note ask claim release agents assign context mcp guard',
  run: 'work run retry review improve kill fleet simulate demo',
  watch: 'ps watch web logs inbox answer why prompt resolve stats summary',
  land: 'merge queue diff',
  share: 'pr export sync linear',
  check: 'verify doctor prune',
  setUp: 'init trust config notify setup shell-init completion',
  hidden: '__complete hook __link __mcp __demo-agent __fleet',
}

type Section = keyof typeof NAMES

/** Only the definitions of one section, because loading all of them takes longer than running a fast command. */
function load(section: Section): Promise<readonly CliCommand[]> {
  switch (section) {
    case 'add':
      return import('./plan-add.ts').then((loaded) => loaded.ADD_COMMANDS)
    case 'plan':
      return import('./plan.ts').then((loaded) => loaded.PLAN_COMMANDS)
    case 'list':
      return import('./look-list.ts').then((loaded) => loaded.LIST_COMMANDS)
    case 'look':
      return import('./look.ts').then((loaded) => loaded.LOOK_COMMANDS)
    case 'lookCloser':
      return import('./look-closer.ts').then((loaded) => loaded.CLOSER_LOOK_COMMANDS)
    case 'work':
      return import('./work.ts').then((loaded) => loaded.WORK_COMMANDS)
    case 'run':
      return import('./run.ts').then((loaded) => loaded.RUN_COMMANDS)
    case 'watch':
      return import('./watch.ts').then((loaded) => loaded.WATCH_COMMANDS)
    case 'land':
      return import('./land.ts').then((loaded) => loaded.LAND_COMMANDS)
    case 'share':
      return import('./share.ts').then((loaded) => loaded.SHARE_COMMANDS)
    case 'check':
      return import('./check.ts').then((loaded) => loaded.CHECK_COMMANDS)
    case 'setUp':
      return import('./set-up.ts').then((loaded) => loaded.SET_UP_COMMANDS)
    case 'hidden':
      return import('./hidden.ts').then((loaded) => loaded.HIDDEN_COMMANDS)
    default:
      return section satisfies never
  }
}

export function findCommand(name: string): Promise<CliCommand | undefined> | undefined {
  const section = sectionOf(name)
  return section && load(section).then((commands) => commandNamed(name, commands))
}

function commandNamed(name: string, commands: readonly CliCommand[]): CliCommand | undefined {
  for (const command of commands) if (command.name === name) return command
  return undefined
}

function sectionOf(name: string): Section | undefined {
  if (name.includes(' ')) return undefined
  for (const section in NAMES) if (` ${NAMES[section as Section]} `.includes(` ${name} `)) return section as Section
  return undefined
}

export function commandNames(): string[] {
  return Object.values(NAMES).flatMap((names) => names.split(' '))
}
