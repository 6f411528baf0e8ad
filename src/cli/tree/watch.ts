import { defineCommand } from '../command.ts'
import { argument, count, exactly, optional, taskArgument, text, texts, toggle } from '../flags/flags.ts'
import { outputFlags } from '../flags/output-flags.ts'

/** Commands that show what agents do, and settle what they leave to a person. */
export const WATCH_COMMANDS = [
  defineCommand({
    name: 'ps',
    section: 'Watch',
    brief: 'List what is running now',
    description:
      'List what is running now. A run is orphaned if its gza has died: then its processes are listed, and kill ends them.',
    examples: ['ps'],
    loader: () => import('../commands/watch/ps.ts'),
  }),
  defineCommand({
    name: 'watch',
    section: 'Watch',
    brief: 'Watch queue, runs and inbox live',
    description:
      'Watch what is running, what needs a person and what is queued, full-screen and live. q or Ctrl-C quits. If stdout is ' +
      'not a terminal, everything is printed once.',
    examples: ['watch', 'watch --json'],
    loader: () => import('../commands/watch/watch.ts'),
  }),
  defineCommand({
    name: 'web',
    section: 'Watch',
    brief: 'See and steer the work in a browser (people only)',
    description:
      'Serve a page with the inbox, the board, every task and what agents do, and open it in the browser. It is served to ' +
      'this machine only, at 127.0.0.1. From another machine, forward the port: ssh -L PORT:127.0.0.1:PORT HOST. If the ' +
      'repository is served already, that page is opened. Ctrl-C stops the server; work that was started in it continues.',
    examples: ['web', 'web --no-open', 'web --read-only', 'web --repo ../api --repo ../app'],
    flags: {
      port: count('N', 'Use this port (default: a new one each time, which is safer)'),
      'no-open': toggle('Print the address only'),
      'read-only': toggle('Show everything, change nothing'),
      repo: texts('DIR', 'Show this repository'),
    },
    loader: () => import('../commands/watch/web.ts'),
  }),
  defineCommand({
    name: 'logs',
    section: 'Watch',
    brief: "Show what an agent wrote and did in a task's latest run",
    description:
      "Show what an agent wrote and did in a task's latest run. With --follow and without ID, follow all running tasks " +
      'and those that start meanwhile, with the number of its task before each line; Ctrl-C ends it.',
    examples: ['logs 3', 'logs -f 3', 'logs -f', 'logs --raw 3', 'logs 3 --json'],
    flags: {
      follow: toggle('Keep reading until the run ends, or Ctrl-C ends it'),
      raw: toggle('Print the lines as the agent wrote them'),
    },
    aliases: { f: 'follow' },
    positional: {
      kind: 'tuple',
      parameters: [optional(taskArgument('The task; with --follow all that run', 'tried'))],
    },
    loader: () => import('../commands/watch/logs.ts'),
  }),
  defineCommand({
    name: 'inbox',
    section: 'Watch',
    brief: 'List what needs a person',
    examples: ['inbox', 'inbox --limit 5', 'inbox --fields code,task'],
    flags: outputFlags('entry', 'Print at most N entries'),
    aliases: { n: 'limit' },
    loader: () => import('../commands/watch/inbox.ts'),
  }),
  defineCommand({
    name: 'answer',
    section: 'Watch',
    brief: "Answer an agent's question (people only)",
    description:
      'Answer the question of an agent. The task can be worked on again, and question and answer are in the next prompt. ' +
      'The session of the agent is resumed if its client can do that.',
    examples: ['answer 3 "Use the second one"', 'answer 3 - < answer.md'],
    positional: {
      kind: 'tuple',
      parameters: [
        taskArgument('The task', 'asking'),
        optional(argument('TEXT', 'The answer; - reads standard input')),
      ],
    },
    loader: () => import('../commands/watch/answer.ts'),
  }),
  defineCommand({
    name: 'why',
    section: 'Watch',
    brief: 'Explain why a task is not running',
    examples: ['why 3'],
    positional: { kind: 'tuple', parameters: [taskArgument('The task', 'open')] },
    loader: () => import('../commands/watch/why.ts'),
  }),
  defineCommand({
    name: 'prompt',
    section: 'Watch',
    brief: 'Print exactly what an agent would get for a task',
    description:
      'Print exactly what an agent would get for a task now, and on stderr about how many tokens each part has. --phase ' +
      'chooses the call: work (gza work), review or improve (a review cycle of the task), run (git tasks run).',
    examples: ['prompt 3', 'prompt 3 --phase review', 'prompt 3 --json'],
    flags: { phase: exactly('PHASE', ['work', 'review', 'improve', 'run'], 'Which call of an agent (default: work)') },
    positional: { kind: 'tuple', parameters: [taskArgument('The task', 'open')] },
    loader: () => import('../commands/watch/prompt.ts'),
  }),
  defineCommand({
    name: 'resolve',
    section: 'Watch',
    brief: 'Decide about a task that agents could not finish (people only)',
    description:
      'Decide about a task that agents could not finish. A rejected plan, which the inbox lists by its file, can be ' +
      'skipped as well.',
    examples: [
      'resolve 3 --fixed',
      'resolve 3 --fixed --commit HEAD',
      'resolve 3 --skip',
      'resolve 3 --reset',
      'resolve 3 --abort',
      'resolve 3 --resume',
      'resolve docs/plan.md --skip',
    ],
    flags: {
      fixed: toggle('The task was done by hand; what its agents left on its branch does not land by itself'),
      commit: text('COMMIT', 'With --fixed: the commit in which it was done'),
      skip: toggle('Skip it; tasks that depend on it can run'),
      reset: toggle('Try it again from the beginning, and count its attempts anew'),
      abort: toggle('Put it and the rest of its group or plan on hold'),
      resume: toggle('Continue what --abort has put on hold: it and its whole group or plan'),
    },
    positional: { kind: 'tuple', parameters: [taskArgument('The task', 'undecided')] },
    loader: () => import('../commands/watch/resolve.ts'),
  }),
  defineCommand({
    name: 'stats',
    section: 'Watch',
    brief: 'Show cost, tokens, attempts and time of all runs',
    description:
      'Show cost, tokens, attempts and time of all runs: in total, by type, by agent, by model and by task. With --json ' +
      'also by day. --days N counts only the last N days, today included. --openmetrics prints the numbers for ' +
      'Prometheus and other scrapers. ' +
      'The cost of an agent that worked without reporting one is "unknown"; attempts_without_cost counts these with --json.',
    examples: ['stats', 'stats --days 7', 'stats --openmetrics > /var/lib/node_exporter/gza.prom'],
    flags: {
      days: count('N', 'Count only the last N days'),
      openmetrics: toggle('Print OpenMetrics text for scrapers'),
    },
    loader: () => import('../commands/watch/stats.ts'),
  }),
  defineCommand({
    name: 'summary',
    section: 'Watch',
    brief: 'Show the progress in total and by milestone',
    description:
      'Show the progress in total and by milestone. With --json, the output also contains the whole state: all tasks, ' +
      'milestones, and the ids of the tasks that are current, in flight, completed and failed.',
    examples: ['summary', 'summary --fields progress,failed', 'summary --json'],
    flags: outputFlags('summary', 'Print at most N tasks for each status, and at most N milestones'),
    aliases: { n: 'limit' },
    loader: () => import('../commands/watch/summary.ts'),
  }),
]
