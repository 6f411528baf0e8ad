import { defineCommand } from '../command.ts'
import { argument, optional } from '../flags/flags.ts'

/** Commands for programs, not for people. No list shows them. */
export const HIDDEN_COMMANDS = [
  defineCommand({
    name: '__complete',
    section: 'Set up',
    hidden: true,
    brief: 'Print the candidates for the last of the given words',
    examples: ['__complete -- add --af'],
    positional: { kind: 'array', parameter: argument('WORD', 'The command line so far, without the program name') },
    loader: () => import('../commands/hidden/complete.ts'),
  }),
  defineCommand({
    name: 'hook',
    section: 'Set up',
    hidden: true,
    brief: "Answer the guard's git hooks: may an agent do this?",
    examples: ['hook reference-transaction prepared'],
    positional: {
      kind: 'tuple',
      parameters: [argument('NAME', 'The hook'), optional(argument('PHASE', 'The argument that git passes to it'))],
    },
    loader: () => import('../commands/hidden/hook.ts'),
  }),
  defineCommand({
    name: '__link',
    section: 'Look',
    hidden: true,
    brief: 'Look for the commits of closed tasks, for git log --tasks',
    examples: ['__link'],
    loader: () => import('../commands/hidden/link.ts'),
  }),
  defineCommand({
    name: '__mcp',
    section: 'Work',
    hidden: true,
    brief: 'Answer one request of a server for agents that runs in a box',
    examples: ['__mcp < request.json'],
    loader: () => import('../commands/hidden/mcp-request.ts'),
  }),
  defineCommand({
    name: '__demo-agent',
    section: 'Run',
    hidden: true,
    brief: 'Play the agent in gza demo',
    examples: ['__demo-agent PROMPT'],
    positional: { kind: 'tuple', parameters: [argument('PROMPT', 'What the agent is asked to do')] },
    loader: () => import('../commands/hidden/demo-agent.ts'),
  }),
  defineCommand({
    name: '__fleet',
    section: 'Run',
    hidden: true,
    brief: 'Be one of the processes of a fleet’s worker',
    examples: ['__fleet clerk FOLDER', '__fleet run OFFER', '__fleet watchdog PID', '__fleet fact < fact.json'],
    positional: {
      kind: 'tuple',
      parameters: [
        argument('PART', 'clerk, run, watchdog or fact'),
        optional(argument('ABOUT', 'The folder of the worker, the offer as JSON, or the process of the run')),
      ],
    },
    loader: () => import('../commands/hidden/fleet-part.ts'),
  }),
]
