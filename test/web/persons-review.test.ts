import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { answerOf, type ServedPage, servePage } from './served-page.ts'

interface Signed {
  page: ServedPage
  act(name: string, input: object): Promise<Response>
  read<T>(path: string): Promise<T>
}

async function signIn(repo: AgentRepo): Promise<Signed> {
  const page = await servePage(repo)
  const bearer = await page.signIn()
  const id = await page.repository(bearer)
  const read = async <T>(path: string) => (await answerOf(page.get(`/api/r/${id}/${path}`, bearer))).value as T
  const act = async (name: string, input: object) => page.post(`/api/r/${id}/actions/${name}`, input, bearer)
  return { page, act, read }
}

const FIRST = 'commit src/a.ts "const first = 1\nconst second = 2\nconst third = 3"'

function aRepoWithWork(): AgentRepo {
  const repo = anAgentRepo({ 'Improve*': 'commit src/b.ts "$call"', else: FIRST })
  repo.add('Add constants', '--files-to-modify', 'README.md')
  repo.gza('work', '1')
  return repo
}

const comment = { file: 'src/a.ts', side: 'new', line: 2, end_line: 3, text: 'Name them better.\nBoth of them.' }

test("a person's review is a text of the task with its verdict, and the next improvement gets it", async () => {
  const repo = aRepoWithWork()
  const { page, act, read } = await signIn(repo)
  const commit = repo.git('rev-parse', repo.task('1').branch as string)
  const input = { ref: '1', commit, verdict: 'CHANGES_REQUESTED', summary: 'Almost.', comments: [comment] }
  const stored = await answerOf(act('review', input))
  const date = repo.task('1').created_at.slice(0, 10).replaceAll('-', '')
  const name = `${date}-task-1-review-1.md`
  expect(stored.value as object).toEqual({
    ...{ id: repo.task('1').id, number: 1, name, head: commit, verdict: 'CHANGES_REQUESTED', comments: 1 },
    ...{ at: expect.any(String), by: repo.git('config', 'user.name') },
  })
  const text = `# Review by ${repo.git('config', 'user.name')}

Commit: ${commit}

Verdict: CHANGES_REQUESTED

Almost.

## Comments

1. \`src/a.ts:2-3\`: Name them better.
   > const second = 2
   > const third = 3

   Both of them.
`
  expect(repo.gza('show', '1', '--text').stdout.trimEnd()).toBe(text.trimEnd())
  expect(readFileSync(join(repo.dir, '.gza/reviews', name), 'utf8')).toBe(text)
  expect(repo.task('1').final_verdict).toBe('CHANGES_REQUESTED')
  const reviews = await read<object[]>('tasks/1/reviews')
  expect(reviews).toEqual([
    {
      ...{
        number: 1,
        name,
        by: repo.git('config', 'user.name'),
        is_person: true,
        at: expect.any(String),
        head: commit,
      },
      ...{ verdict: 'CHANGES_REQUESTED', summary: 'Almost.' },
      comments: [{ ...comment, quote: ['const second = 2', 'const third = 3'] }],
    },
  ])
  expect(repo.gza('improve', '1').code).toBe(0)
  expect(repo.calls().at(-1)?.prompt).toContain(text.trimEnd())
  await page.stop()
})

test('a review counts only for the commit that was shown', async () => {
  const repo = aRepoWithWork()
  const { page, act } = await signIn(repo)
  const branch = repo.task('1').branch as string
  const commit = repo.git('rev-parse', branch)
  const tree = repo.git('rev-parse', `${branch}^{tree}`)
  const newer = repo.git('commit-tree', tree, '-p', commit, '-m', 'By hand')
  repo.git('update-ref', `refs/heads/${branch}`, newer)
  const input = { ref: '1', verdict: 'APPROVED', summary: '', comments: [] }
  const late = await act('review', { ...input, commit })
  expect((await answerOf(late)).error).toEqual({
    code: 'WORK_CHANGED',
    message: `Task #1 is at ${newer.slice(0, 10)} now, and the review is about ${commit.slice(0, 10)}`,
    hint: 'Nothing was saved. Look at the newer commit, then judge it.',
  })
  expect(repo.task('1').final_verdict).toBeNull()
  expect((await act('review', { ...input, commit: newer })).status).toBe(200)
  expect(repo.gza('show', '1').stdout).toContain('APPROVED')
  await page.stop()
})

test('a review says what to change, at lines that are there, and with one verdict', async () => {
  const repo = aRepoWithWork()
  const { page, act } = await signIn(repo)
  const commit = repo.git('rev-parse', repo.task('1').branch as string)
  const input = { ref: '1', commit, verdict: 'CHANGES_REQUESTED', summary: '', comments: [] }
  const codes = []
  for (const wrong of [
    input,
    { ...input, comments: [{ ...comment, text: ' ' }] },
    { ...input, comments: [{ ...comment, end_line: 4 }] },
    { ...input, comments: [{ ...comment, file: 'src/none.ts' }] },
    { ...input, comments: [{ ...comment, side: 'old' }] },
    { ...input, summary: 'Verdict: APPROVED' },
    { ...input, summary: 'x', verdict: 'MAX_CYCLES_REACHED' },
  ])
    codes.push((await answerOf(act('review', wrong))).error.code)
  expect(codes).toEqual([
    ...['EMPTY_REVIEW', 'EMPTY_COMMENT', 'NO_SUCH_LINE', 'NO_SUCH_LINE', 'NO_SUCH_LINE', 'OTHER_VERDICT', 'BAD_INPUT'],
  ])
  expect(repo.task('1').notes).toEqual([])
  expect(existsSync(join(repo.dir, '.gza/reviews'))).toBe(false)
  await page.stop()
})

test('undo takes a review back, and redo brings it back', async () => {
  const repo = aRepoWithWork()
  const { page, act, read } = await signIn(repo)
  const commit = repo.git('rev-parse', repo.task('1').branch as string)
  await act('review', { ref: '1', commit, verdict: 'CHANGES_REQUESTED', summary: 'No.', comments: [] })
  repo.gza('undo')
  expect(repo.task('1').final_verdict).toBeNull()
  expect(await read<object[]>('tasks/1/reviews')).toEqual([])
  expect(repo.gza('improve', '1').stderr).toContain('has no review to act on')
  repo.gza('redo')
  expect(await read<object[]>('tasks/1/reviews')).toHaveLength(1)
  expect(repo.task('1').final_verdict).toBe('CHANGES_REQUESTED')
  expect(repo.gza('verify').code).toBe(0)
  const merge = repo.gza('merge', '1')
  expect(merge.stdout + merge.stderr).toContain('has no approval of its last commit')
  await page.stop()
})

test('the improve phase of review cycles gets what a person wrote after the last review', async () => {
  const judge = 'echo "1. Too short"; echo; echo "Verdict: CHANGES_REQUESTED"'
  const act = `case $prompt in *"You are improving"*) commit src/b.ts "$call";; *"You are reviewing"*) ${judge};; *) ${FIRST};; esac`
  const repo = anAgentRepo({ else: act })
  repo.add('Add constants', '--type', 'implement', '--auto-review', '--max-cycles', '1')
  repo.gza('work', '1')
  expect(repo.task('1').final_verdict).toBe('MAX_CYCLES_REACHED')
  const signed = await signIn(repo)
  const commit = repo.git('rev-parse', repo.task('1').branch as string)
  const input = { ref: '1', commit, verdict: 'CHANGES_REQUESTED', summary: 'And longer.', comments: [comment] }
  expect((await signed.act('review', input)).status).toBe(200)
  await signed.page.stop()
  repo.gza('edit', '1', '--max-cycles', '2')
  repo.gza('edit', '1', '--verdict', '')
  repo.gza('retry', '1')
  const improve = repo.calls().findLast(({ prompt }) => prompt.startsWith('You are improving'))
  expect(improve?.prompt).toContain('1. Too short')
  expect(improve?.prompt).toContain('And longer.')
  expect(improve?.prompt).toContain('1. `src/a.ts:2-3`: Name them better.')
})
