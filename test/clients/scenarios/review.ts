import { expect } from 'bun:test'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { aClientScenario, type ClientScenario, expectOk } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import type { Client } from '../clients.ts'
import type { Habits } from '../habits.ts'
import { executedIn, plantedFiles } from '../planted.ts'
import { expectNothingLeft } from './nothing-left.ts'

const REVIEW = '1. made.txt:1 says nothing.\n\n**Verdict: CHANGES_REQUESTED**'

/** The judged commit changes what the base already carries, so that both are tried. */
const REPLANTS = "git ls-files -z | xargs -0 sed -i 's,/of-base/,/of-judged/,g'; echo made > made.txt; git add -A"

export function testReview(client: Client, habits: Habits): void {
  testRows(client, ['review', 'planted'], async () => {
    const scenario = aClientScenario(client, {
      turns: [{ run: `${REPLANTS}; git commit -qm "Make the file"` }],
      closing: 'The file is made and committed.',
    })
    const { repo, root } = scenario
    const [ofBase, ofJudged] = [join(root, 'of-base'), join(root, 'of-judged')]
    executedIn(ofBase)
    executedIn(ofJudged)
    repo.commit('Carry client configuration', plantedFiles(ofBase))
    scenario.add('Make a file')
    expectOk(await scenario.work('1'))
    // Without this the test would show nothing: an agent that works does execute them.
    expect(executedIn(ofBase)).toEqual([...habits.executes])
    executedIn(ofJudged)

    scenario.add('Review it', '--type', 'review', '--based-on', '1')
    const before = objectsOf(scenario)
    const seen = new Set<string>()
    scenario.play(() => ({
      turns: [
        { write: join(checkoutOf(scenario), 'sneaky-tool.txt') },
        { run: `echo x > sneaky-shell.txt; echo x > ${join(root, 'sneaky-outside.txt')}` },
        { run: 'git commit -q --allow-empty -m sneaky' },
      ],
      closing: REVIEW,
      insists: true,
      watch: () => sneaky(root).forEach((path) => void seen.add(path)),
    }))
    expectOk(await scenario.work('2'))
    const { status, runs } = scenario.show(2)
    expect({
      status,
      verdict: runs[0]?.verdict,
      executed: [executedIn(ofBase), executedIn(ofJudged)],
      written: [...seen, ...sneaky(root)],
    }).toEqual({ status: 'completed', verdict: 'CHANGES_REQUESTED', executed: [[], []], written: [] })
    expect(reviewsOf(scenario)).toEqual([REVIEW])
    expect(objectsOf(scenario)).toEqual(before)
    expect(scenario.requests().length).toBeGreaterThan(5)
    expectNothingLeft(scenario)
  })
}

/** Where the client was started: some of them write only to whole paths. */
function checkoutOf({ repo, pids }: ClientScenario): string {
  return (
    pids()
      .flatMap(folderOf)
      .find((folder) => folder !== repo.dir) ?? repo.dir
  )
}

/** Nothing for a process that has ended meanwhile. */
function folderOf(pid: number): string[] {
  try {
    return [readlinkSync(`/proc/${pid}/cwd`)]
  } catch {
    return []
  }
}

function sneaky(root: string): string[] {
  return (readdirSync(root, { recursive: true }) as string[]).filter((path) => /sneaky-\w+\.txt$/.test(path))
}

/** Every commit that gza did not make: those of a reviewer would be among them, also where no branch has them. */
function objectsOf({ repo }: ClientScenario): string[] {
  const all = repo.git('cat-file', '--batch-all-objects', '--batch-check').split('\n')
  const commits = all.flatMap((line) => (line.includes(' commit ') ? [line.split(' ', 1)[0] ?? ''] : []))
  return commits.filter((oid) => /sneaky|Make/.test(repo.git('log', '-1', '--format=%s', oid)))
}

function reviewsOf({ repo }: ClientScenario): string[] {
  const folder = join(repo.dir, '.gza/reviews')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trim()) : []
}
