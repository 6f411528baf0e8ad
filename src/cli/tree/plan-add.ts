import { defineCommand } from '../command.ts'
import { argument, optional } from '../flags/flags.ts'
import { CREATE, TASK_FLAGS } from '../flags/task-flags.ts'

/** The one command of this section that people and agents call all day. */
export const ADD_COMMANDS = [
  defineCommand({
    name: 'add',
    section: 'Plan',
    brief: 'Add a task',
    description:
      'Add a task and print its id. The content is the argument. Without an argument, it is read from standard input, or ' +
      'your editor opens if standard input is a terminal.',
    examples: [
      'add "Refactor auth middleware to use JWT"',
      'add "Write tests for JWT auth" --after task-a3f8',
      'add "Design the ImageTransform system" --type plan --group tarantino-v2',
      'add "Implement ImageTransform" -t implement --based-on 1 --review',
      'add "Add feature X" -t implement --auto-review --max-cycles 5',
      'add --title "Parser rewrite" < notes.md',
      'add "Try another parser" --branch ideas --create',
    ],
    flags: () => ({ ...TASK_FLAGS, create: CREATE }),
    aliases: { t: 'type', a: 'auto-review' },
    positional: {
      kind: 'tuple',
      parameters: [optional(argument('CONTENT', 'What to do; - reads standard input'))],
    },
    loader: () => import('../commands/plan/add.ts'),
  }),
]
