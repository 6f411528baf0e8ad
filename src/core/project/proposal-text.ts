import { commandLine } from '../sentence.ts'
import type { Proposal } from './propose-settings.ts'

/** The schema of gza.yaml as `gza init` writes it: beside the project, so that editors find it without a network. */
export const SCHEMA_PATH = '.gza/gza.schema.json'

/** A proposal as gza.yaml, with comments for a person who reads it for the first time. */
export function proposalText(proposal: Proposal): string {
  return [
    `# yaml-language-server: $schema=${SCHEMA_PATH}`,
    `# Settings of gza for this project. ${commandLine`config`} prints every setting and where its value comes from.`,
    '',
    ...agentLines(proposal),
    '',
    ...verifyLines(proposal),
    '',
    ...worktreeLines(proposal),
    '',
    ...workerLines(proposal),
    '',
  ].join('\n')
}

/** The sections that a file lacks, to be added at its end; empty if there is nothing to add. */
export function missingSections(proposal: Proposal, present: readonly string[]): string {
  const { command, setup, copy } = proposal
  const sections = [
    ...(present.includes('verify') || command === null ? [] : [verifyLines(proposal)]),
    ...(present.includes('worktree') || (setup === null && copy.length === 0) ? [] : [worktreeLines(proposal)]),
  ]
  return sections.map((lines) => `\n${lines.join('\n')}\n`).join('')
}

function agentLines({ agent }: Proposal): string[] {
  return [
    '# Who does the work: claude, codex, opencode, gemini, qwen, copilot, or a name from `agents`.',
    ...(agent === null
      ? [
          `# None of these clients was found on this machine: ${commandLine`doctor`} says how to install one.`,
          '#defaults:',
          '#  agent: claude',
        ]
      : ['defaults:', `  agent: ${agent}`]),
  ]
}

function verifyLines({ command, testCommand, seen, notes }: Proposal): string[] {
  const why = seen.length === 0 ? [] : [`# Found: ${seen.join(', ')}.`]
  const lines = [
    '# How finished work is checked: a task is completed only if these commands pass on its commit.',
    ...why,
    ...notes.map((note) => `# ${note}`),
  ]
  if (command === null)
    return [
      ...lines,
      '# No check was found. Without one, "completed" only means "committed".',
      '#verify:',
      '#  command: make test',
    ]
  return [
    ...lines,
    'verify:',
    `  command: ${scalar(command)}`,
    ...(testCommand === null
      ? []
      : ['  # For the test files that a task names; they are appended.', `  test_command: ${scalar(testCommand)}`]),
  ]
}

function worktreeLines({ setup, copy, copied }: Proposal): string[] {
  const lines = ['# Each task works in a worktree of its own, which has only what git tracks.']
  if (setup === null && copy.length === 0)
    return [
      ...lines,
      '# If that is not enough: a command, and ignored files to copy.',
      '#worktree:',
      '#  setup: npm ci',
      '#  copy: [".env*"]',
    ]
  return [
    ...lines,
    'worktree:',
    ...(setup === null ? [] : ['  # Runs in each fresh worktree.', `  setup: ${scalar(setup)}`]),
    ...(copy.length === 0
      ? []
      : [
          `  # Ignored files that agents get a copy of. Now: ${copied.map(plainName).join(', ')}`,
          `  copy: ${JSON.stringify(copy)}`,
        ]),
  ]
}

function workerLines({ workers, shared }: Proposal): string[] {
  if (shared === null) return ['# How many tasks run at the same time.', `parallel_workers: ${workers}`]
  return [
    `# How many tasks run at the same time. ${shared} suggests that they would share containers or ports: raise this once`,
    '# each task uses its own (GZA_SLOT, GZA_PORT), or name what only one may use at a time (locks).',
    `parallel_workers: ${workers}`,
  ]
}

/** Comments are one line each. */
function plainName(path: string): string {
  return path.replace(/[^\x20-\x7e]/g, '?')
}

/** Plain if YAML reads it back as the same text, otherwise in quotes. */
function scalar(text: string): string {
  const isPlain =
    /^[A-Za-z./][\w ./@&$=+-]*$/.test(text) &&
    !/ #|: |\s$/.test(text) &&
    !/^(true|false|null|yes|no|on|off)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}
