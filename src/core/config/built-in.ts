import { NOTICE_EVENTS } from '../notify/notice.ts'
import type { Config } from './settings.ts'

/** The values that apply if no file sets them. */
export const BUILT_IN: Config = {
  ledger: null,
  land: 'branch',
  land_batch: 8,
  land_attempts: 2,
  delete_branches: false,
  scope: 'report',
  parallel_workers: 1,
  fallback: [],
  defaults: {
    agent: 'claude',
    model: null,
    max_turns: null,
    timeout_minutes: 60,
    // Longer than the silence of a test suite, shorter than the patience of a person who waits.
    stall_minutes: 15,
    auto_review: false,
    wait_for_discussion: false,
    max_review_cycles: 3,
    review_agent: null,
    review_model: null,
    review_timeout_minutes: 10,
    improve_timeout_minutes: 30,
    max_attempts: 3,
    max_filed_tasks: 20,
    max_filing_depth: 3,
    locks: [],
  },
  // Filing tasks is what a plan is for.
  task_types: { plan: { max_filed_tasks: 200 } },
  agents: new Map(),
  verify: { command: null, test_command: null, timeout_minutes: 30, locks: [], network: 'on' },
  worktree: { setup: null, timeout_minutes: 15, copy: [], link: [], root: null, ports: '20000-24999' },
  budgets: { phase_usd: null, phase_turns: null, task_usd: null, task_turns: null, day_usd: null, day_turns: null },
  retry: { backoff_seconds: 10 },
  ralph: { max_iterations: 10 },
  task_size_limits: {
    max_files_to_create: 5,
    max_files_to_modify: 8,
    max_criteria_per_task: 7,
    max_input_tokens: 6000,
    max_time_minutes: 5,
    complexity_threshold: 5,
    auto_split: true,
  },
  todo: {
    flow: [
      'explore: Brainstorm design',
      'Set up worktree',
      'plan: Write implementation plan',
      'implement: Execute plan',
      'Finish branch',
    ],
  },
  views: {},
  integrations: { linear: { enabled: false, team_id: null, create_project: false } },
  notify: { desktop: false, bell: false, command: null, url: null, form: null, events: NOTICE_EVENTS },
  isolation: { level: 'auto', allow: [] },
  origins: new Map(),
}
