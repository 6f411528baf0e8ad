import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type PrTask, pullRequestMarkdown } from './pull-request-text.ts'

function aTask(id: string, title: string, more: Partial<PrTask> = {}): PrTask {
  return { id, title, content: title, done: false, commit: null, dependencies: [], ...more }
}

/**
 * The list items of a document, by the block rules that matter here: a bullet belongs to the list if it is at most at
 * the content column of the item above it; a line that is neither blank, heading, bullet nor edge ends the list.
 */
function countItems(markdown: string): number {
  let items = 0
  let contentColumn = 0
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const indent = line.length - line.trimStart().length
    if (/^ *- \[[ x]\] \S/.test(line) && indent <= contentColumn) {
      items++
      contentColumn = indent + 2
    } else if (!/^(?:|## Tasks|No tasks\.|### Dependency Graph|\S+ → \S+(?: \(blocked\))?)$/.test(line)) {
      throw new Error(`a line of its own: ${line}`)
    }
  }
  return items
}

const line = fc.constantFrom(
  '\n- [ ] more',
  '\n\n## Tasks',
  '\r1. x',
  '\n    code',
  '\n```',
  '\n<!--',
  '</ul>',
  '\n| a |\n|-|',
)
const text = fc
  .array(fc.oneof(line, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), { maxLength: 5 })
  .map((parts) => parts.join(''))
const task = fc.record({
  id: fc.stringMatching(/^task-[0-9a-f]{4,8}$/),
  title: text,
  content: text,
  done: fc.boolean(),
  commit: fc.option(fc.stringMatching(/^[0-9a-f]{40}$/)),
  dependencies: fc.array(fc.record({ id: fc.stringMatching(/^task-[0-9a-f]{4}$/), done: fc.boolean() }), {
    maxLength: 2,
  }),
  depth: fc.integer({ min: 0, max: 40 }),
})

describe('pullRequestMarkdown', () => {
  test('tasks with their commits, then the dependencies: an open task is marked', () => {
    const markdown = pullRequestMarkdown([
      aTask('task-a3f8', 'Refactor auth middleware to use JWT', { done: true, commit: `abc1234${'0'.repeat(33)}` }),
      aTask('task-b4c9', 'Add input validation', { done: true, commit: `def5678${'0'.repeat(33)}` }),
      aTask('task-c5d0', 'Write tests for auth middleware', { dependencies: [{ id: 'task-b4c9', done: true }] }),
    ])
    expect(markdown).toBe(`## Tasks

- [x] task-a3f8: Refactor auth middleware to use JWT (abc1234)
- [x] task-b4c9: Add input validation (def5678)
- [ ] task-c5d0: Write tests for auth middleware

### Dependency Graph
task-b4c9 → task-c5d0 (blocked)
`)
  })

  test('without dependencies there is no graph', () => {
    expect(pullRequestMarkdown([aTask('task-a3f8', 'Alone')])).toBe('## Tasks\n\n- [ ] task-a3f8: Alone\n')
  })

  test('without tasks it contains "No tasks."', () => {
    expect(pullRequestMarkdown([])).toBe('## Tasks\n\nNo tasks.\n')
  })

  test('a finished task is not blocked, even by something unfinished', () => {
    const tasks = [aTask('task-b4c9', 'Done early', { done: true, dependencies: [{ id: 'task-a3f8', done: false }] })]
    expect(pullRequestMarkdown(tasks)).toEndWith('### Dependency Graph\ntask-a3f8 → task-b4c9\n')
  })

  test('children are below their parent, and a missing level is not drawn', () => {
    const tasks = [
      aTask('task-1111', 'Orphan', { depth: 3 }),
      aTask('task-2222', 'Parent'),
      aTask('task-3333', 'Child', { depth: 1 }),
      aTask('task-4444', 'Far grandchild', { depth: 9 }),
      aTask('task-5555', 'Next'),
    ]
    expect(pullRequestMarkdown(tasks)).toBe(`## Tasks

- [ ] task-1111: Orphan
- [ ] task-2222: Parent
  - [ ] task-3333: Child
    - [ ] task-4444: Far grandchild
- [ ] task-5555: Next
`)
  })

  test('a task without a title shows the first line of its content', () => {
    const tasks = [aTask('task-a3f8', ' ', { content: '\n\nFirst\nSecond' }), aTask('task-b4c9', '')]
    expect(pullRequestMarkdown(tasks)).toBe('## Tasks\n\n- [ ] task-a3f8: First\n- [ ] task-b4c9:\n')
  })

  test('there are as many list items as tasks, for any texts and depths', () => {
    fc.assert(
      fc.property(fc.array(task, { maxLength: 20 }), (tasks) => {
        const markdown = pullRequestMarkdown(tasks)
        expect(countItems(markdown)).toBe(tasks.length)
        const html = Bun.markdown.html(markdown, { autolinks: true })
        expect(html.match(/<li class="task-list-item">/g)?.length ?? 0).toBe(tasks.length)
        expect(html.match(/<(?!\/?(?:ul|li|h2|h3|p)\b|input type="checkbox")/g)).toBeNull()
      }),
      { numRuns: 500 },
    )
  })
})
