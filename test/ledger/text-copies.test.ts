import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTerminal } from '../live-output/pseudo-terminal.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'

/** An agent that writes another text each time, into the file that it is asked for. */
const WRITES = `n=$(($(cat $beside/n 2>/dev/null || echo 0) + 1)); echo $n >$beside/n
file=$(grep -o -m1 "markdown to [.]gza/[a-z]*/[^ :]*md" <<<"$prompt") || file=$title.txt; save "\${file/markdown to /}" "text $n

**Verdict: APPROVED**"`

function aPlanningRepo(...plans: string[]): AgentRepo {
  const repo = anAgentRepo({ else: WRITES })
  for (const title of plans) repo.add(title, '--type', 'plan')
  if (plans.length > 0) outputOf(repo.gza('work', '--all', '--workers', '1'))
  return repo
}

test('each text has a file of its own, also with the same title and after another attempt', () => {
  const repo = aPlanningRepo('Plan it', 'Plan it')
  outputOf(repo.gza('edit', '1', '--reopen'))
  outputOf(repo.gza('work', '1'))
  const day = repo.task('1').created_at.slice(0, 10).replaceAll('-', '')
  expect(copies(repo, 'plans')).toEqual({
    [`${day}-plan-it.md`]: 'text 1',
    [`${day}-plan-it-2.md`]: 'text 2',
    [`${day}-plan-it-3.md`]: 'text 3',
  })
  expect(textOf(repo, '1')).toBe('text 3')
  expect(textOf(repo, '2')).toBe('text 2')
  expect(textOf(repo, '1', `${day}-plan-it.md`)).toBe('text 1')
  expect(textOf(repo, '1', `${day}-plan-it-1.md`)).toBe('text 1')
})

test('three reviews of one task are three files', () => {
  const repo = anAgentRepo({ else: WRITES })
  repo.add('Build it')
  outputOf(repo.gza('work'))
  for (const _ of [1, 2, 3]) outputOf(repo.gza('review', '1'))
  expect(Object.values(copies(repo, 'reviews')).sort()).toEqual(['text 2', 'text 3', 'text 4'])
})

test('reviews of tasks with the same number in two ledgers are two files', () => {
  const repo = anAgentRepo({ else: WRITES })
  const other = repo.withEnv({ GZA_BRANCH: 'feature' })
  for (const each of [repo, other]) {
    outputOf(each.gza('add', 'Build it', '--auto-review'))
    outputOf(each.gza('work'))
  }
  const day = repo.task('1').created_at.slice(0, 10).replaceAll('-', '')
  expect(copies(repo, 'reviews')).toEqual({
    [`${day}-task-1-review-1.md`]: 'text 2',
    [`${day}-task-1-review-1-2.md`]: 'text 4',
  })
  expect(firstLine(outputOf(other.gza('show', '1', '--text')))).toBe('text 4')
})

test('another clone prints texts that it has no copies of; of two editions both are kept', () => {
  const repo = aPlanningRepo('Plan it')
  const other = repo.clone()
  const copy = onlyCopy(repo)
  outputOf(other.gza('sync'))
  expect(firstLine(outputOf(other.gza('show', '1', '--text')))).toBe('text 1')
  for (const [each, words] of [
    [repo, 'mine'],
    [other, 'theirs'],
  ] as const) {
    each.write(copy, `${words}\n`)
    outputOf(each.gza('edit', '1', '--text'))
  }
  outputOf(other.gza('sync'))
  const { names } = JSON.parse(outputOf(repo.gza('show', '1', '--text', '--json'))) as { names: string[] }
  const texts = names.map((name) => firstLine(outputOf(repo.gza('show', '1', '--text', name))))
  expect(texts.sort()).toEqual(['mine', 'text 1', 'theirs'])
  expect(repo.gza('show', '1').stderr).toBe('')
})

test('show --text prints the newest text, the one that is named, or the names', () => {
  const repo = aPlanningRepo('Plan it')
  outputOf(repo.gza('edit', '1', '--reopen'))
  outputOf(repo.gza('work', '1'))
  const names = repo.task('1').artifacts.map((path) => path.slice(path.lastIndexOf('/') + 1))
  const shown = JSON.parse(outputOf(repo.gza('show', '1', '--text', '--json')))
  expect(shown).toMatchObject({
    number: 1,
    kind: 'result',
    names: names.toSorted(),
    text: expect.stringContaining('text 2'),
  })
  expect(shown.copy).toEndWith('-plan-it-2.md')
  expect(outputOf(repo.tasks('show', '1', '--text', 'it-1.md'))).toStartWith('text 1\n')
  const unknown = repo.gza('show', '1', '--text', 'nothing')
  expect(unknown.code).toBe(1)
  for (const name of names) expect(unknown.stderr).toContain(name)
  expect(repo.gza('show', '1', 'nothing')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('gza show 1 --text nothing'),
  })
  repo.add('No text')
  expect(repo.gza('show', '2', '--text')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Task #2 has no text'),
  })
})

test('a copy that a person changed is never overwritten, is named, and is taken in as a new text of that person', () => {
  const repo = aPlanningRepo('Plan it')
  const copy = onlyCopy(repo)
  writeFileSync(join(repo.dir, copy), 'my own plan\n')
  const words = `${copy} is edited: gza edit 1 --text takes it in`
  expect(repo.gza('show', '1').stderr).toContain(words)
  repo.add('Build it', '--type', 'implement', '--based-on', '1')
  outputOf(repo.gza('edit', '1', '--reopen'))
  const work = repo.gza('work', '1')
  expect(work).toMatchObject({ code: 0, stderr: expect.stringContaining(words) })
  expect(readFileSync(join(repo.dir, copy), 'utf8')).toBe('my own plan\n')
  const agent = repo.withEnv({ GZA_AGENT: 'claude-code' })
  expect(agent.gza('edit', '1', '--text')).toMatchObject({ code: 1, stderr: expect.stringContaining('agent mode') })
  outputOf(repo.gza('edit', '1', '--text'))
  expect(textOf(repo, '1')).toBe('my own plan')
  expect(repo.git('log', '-1', '--format=%s %(trailers:key=Actor,valueonly,separator=)', 'refs/tasks/main')).toBe(
    `edit ${repo.task('1').id} text Test`,
  )
  expect(repo.gza('show', '1').stderr).toBe('')
  expect(repo.gza('edit', '1', '--text')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing to take in'),
  })
  outputOf(repo.gza('work', '2'))
  expect(repo.calls().at(-1)!.prompt).toContain('my own plan')
  expect(repo.gza('verify').code).toBe(0)
})

test('undo takes a text that was taken in back, redo brings it back, and neither touches a file', () => {
  const repo = aPlanningRepo('Plan it')
  const copy = onlyCopy(repo)
  const before = textOf(repo, '1')
  writeFileSync(join(repo.dir, copy), 'my own plan\n')
  outputOf(repo.gza('edit', '1', '--text'))
  outputOf(repo.gza('undo'))
  expect(textOf(repo, '1')).toBe(before)
  expect(repo.gza('show', '1').stderr).toContain(`${copy} is edited`)
  outputOf(repo.gza('redo'))
  expect(textOf(repo, '1')).toBe('my own plan')
  outputOf(repo.gza('undo'))
  writeFileSync(join(repo.dir, copy), 'my second plan\n')
  outputOf(repo.gza('edit', '1', '--text'))
  expect(textOf(repo, '1')).toBe('my second plan')
  expect(outputOf(repo.gza('show', '1', '--text', 'text-1'))).toBe('my own plan\n')
  expect(repo.gza('verify').code).toBe(0)
})

test('on a terminal work asks before it takes an edited plan in', async () => {
  const repo = aPlanningRepo('Plan it')
  writeFileSync(join(repo.dir, onlyCopy(repo)), 'my own plan\n')
  repo.add('Build it', '--type', 'implement', '--based-on', '1')
  const terminal = onTerminal(['gza', 'work', '2'], { cwd: repo.dir, env: repo.env, columns: 200 })
  await terminal.until((lines) => lines.some((line) => line.includes('Take it in as the text of #1? [y/N]')))
  terminal.type('y\r')
  expect(await terminal.exited).toBe(0)
  expect(textOf(repo, '1')).toBe('my own plan')
  expect(repo.calls().at(-1)!.prompt).toContain('my own plan')
})

test('a review is never taken in, and a text that is missing, empty or not text is refused', () => {
  const repo = aPlanningRepo('Plan it')
  const copy = join(repo.dir, onlyCopy(repo))
  writeFileSync(copy, ' \n')
  expect(repo.gza('edit', '1', '--text')).toMatchObject({ code: 1, stderr: expect.stringContaining('is empty') })
  writeFileSync(copy, Buffer.from([0xff, 0xfe, 0x00]))
  expect(repo.gza('edit', '1', '--text')).toMatchObject({ code: 1, stderr: expect.stringContaining('is not UTF-8') })
  expect(repo.gza('edit', '1', '--text', '--title', 'x').code).toBe(2)
  repo.add('Build it')
  outputOf(repo.gza('work', '2'))
  outputOf(repo.gza('review', '2'))
  const [review] = readdirSync(join(repo.dir, '.gza/reviews'))
  writeFileSync(join(repo.dir, '.gza/reviews', review!), '**Verdict: APPROVED**\nmine\n')
  const refused = repo.gza('edit', '3', '--text')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('reviews are never taken in') })
  expect(outputOf(repo.gza('work', '--dry-run'))).not.toContain('Take it in')
})

test('after a kill, recovery writes the copy that is missing and leaves one that is there', () => {
  const repo = anAgentRepo({ else: WRITES })
  repo.add('Plan it', '--type', 'plan')
  expect(repo.withEnv({ GZA_CRASH_AT: 'recorded' }).gza('work').code).not.toBe(0)
  expect(existsSync(join(repo.dir, '.gza/plans'))).toBe(false)
  repo.gza('work')
  const copy = onlyCopy(repo)
  expect(readFileSync(join(repo.dir, copy), 'utf8')).toStartWith('text 1\n')
  outputOf(repo.gza('edit', '1', '--reopen'))
  repo.withEnv({ GZA_CRASH_AT: 'noted' }).gza('work')
  writeFileSync(join(repo.dir, copy), 'mine\n')
  repo.gza('work')
  expect(readFileSync(join(repo.dir, copy), 'utf8')).toBe('mine\n')
})

test('a file attached to a note does not pass for a plan', () => {
  const repo = aPlanningRepo('Plan it')
  const [name] = repo.task('1').artifacts.map((path) => path.slice(path.lastIndexOf('/') + 1))
  const forged = repo.write(name!.replace('-1.md', '-9.md'), 'forged\n')
  outputOf(repo.withEnv({ GZA_AGENT: 'claude-code' }).gza('note', '1', 'see', '--attach', forged))
  expect(textOf(repo, '1')).toBe('text 1')
})

/** The first line of each copy in the folder. */
function copies(repo: AgentRepo, folder: string): Record<string, string> {
  const names = readdirSync(join(repo.dir, '.gza', folder)).sort()
  return Object.fromEntries(
    names.map((name) => [name, firstLine(readFileSync(join(repo.dir, '.gza', folder, name), 'utf8'))]),
  )
}

function onlyCopy(repo: AgentRepo): string {
  const [name, ...others] = readdirSync(join(repo.dir, '.gza/plans'))
  expect(others).toEqual([])
  return `.gza/plans/${name}`
}

function textOf(repo: AgentRepo, ref: string, ...name: string[]): string {
  return firstLine(outputOf(repo.gza('show', ref, '--text', ...name)))
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}
