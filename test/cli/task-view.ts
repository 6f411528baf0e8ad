import type { TaskName, TaskView } from '../../src/workspace/views/views.ts'

/** A task as the use cases return it: pending, and with nothing set but what a test sets. */
export function aView(fields: Partial<TaskView> = {}): TaskView {
  const content = fields.content ?? 'Refactor auth middleware to use JWT'
  return {
    id: 'task-a3f8',
    content,
    status: 'pending',
    created_at: '2025-01-02T10:30:00Z',
    created_by: 'Test',
    after: null,
    closed_at: null,
    closed_commit: null,
    notes: [],
    number: 1,
    uid: 'a3f8'.repeat(10),
    title: content.split('\n', 1)[0] ?? '',
    type: 'task',
    priority: 'medium',
    group: null,
    key: null,
    depends_on: [],
    based_on: [],
    parent: null,
    children: [],
    blocked_by: [],
    running_on: null,
    branch: null,
    plan_file: null,
    project: null,
    assigned_agent: null,
    milestone_id: null,
    linear_issue_id: null,
    user_story: null,
    estimated_complexity: null,
    acceptance_criteria: [],
    files_to_create: [],
    files_to_modify: [],
    test_files: [],
    create_review: false,
    same_branch: false,
    auto_review: false,
    max_review_cycles: null,
    review_cycle: 0,
    final_verdict: null,
    max_attempts: null,
    attempts: 0,
    commits: [],
    artifacts: [],
    runs: [],
    phases: [],
    landings: [],
    assignments: [],
    archived: false,
    on_hold: false,
    ledger: 'main',
    ...fields,
  }
}

export function aName(fields: Partial<TaskName> = {}): TaskName {
  return { number: 1, id: 'task-a3f8', title: 'Refactor auth', status: 'pending', ...fields }
}
