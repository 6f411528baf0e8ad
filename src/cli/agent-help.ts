import { type Display, programOf } from './terminal/display.ts'

/** What `gza` and `gza --help` print for an agent: what it may do, in under 300 tokens. */
export function agentHelp(display: Display): string[] {
  const program = programOf(display.name)
  const columns = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([line, does]) => `  ${program} ${line.padEnd(WIDTH)}${does}`)
  return [
    `${program}: tasks for AI coding agents, kept in git. You are in agent mode.`,
    '',
    'Look',
    ...columns(LOOK),
    'Work',
    ...columns(WORK),
    '',
    'Only people edit, delete, run, merge and sync: explain what is needed in a note.',
    `Flags of a command: ${program} COMMAND ${display.name === 'git-tasks' ? '-h' : '--help'}. On every command: --json.`,
  ]
}

const WIDTH = 23

const LOOK = [
  ['context', 'where the work stands, and what to do next'],
  ['next', 'the tasks that can start now'],
  ['list --status open', 'all open tasks'],
  ['search "parser"', 'the tasks with these words'],
  ['show 3', 'one task with everything known about it'],
  ['why 3', 'why a task is not running'],
] as const

const WORK = [
  ['claim 3', 'take a task (--next: the most urgent one)'],
  ['note 3 "…"', 'write down what the next agent must know'],
  ['ask 3 "…"', 'ask a person; then take another task'],
  ['done 3', 'close it after your commit'],
  ['release 3', 'give it back'],
  ['add "…" --after 3', 'file a new task'],
] as const
