/** The objects of an ordinary commit are brought into the real repository without a box, all others by a fetch in one. */
import { expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from '../../support/repo.ts'
import { aProject, type BoxedRun, BRANCH, noBox, startedRun } from './boxed-run.ts'

const COMMIT = "echo more >> a.txt && git commit -qam 'change a'"

/** Imports, and counts how often a box was asked for. */
async function countBoxes(run: BoxedRun) {
  let boxes = 0
  const imported = await run.import((argv) => {
    boxes++
    return noBox(argv)
  })
  return { imported, boxes }
}

function left({ dir }: Repo): string[] {
  return readdirSync(join(dir, '.git/objects')).filter((name) => name.startsWith('tmp_'))
}

const ORDINARY = {
  'a commit': COMMIT,
  'several commits': `${COMMIT} && git commit -q --allow-empty -m two && mkdir new && echo n > new/n && git add . && git commit -qm n`,
  'a merge of its own branches': `git switch -qc side && echo s > s && git add s && git commit -qm s
    git switch -q ${BRANCH} && ${COMMIT} && git merge -qm both side && git branch -qD side`,
  'links, programs, folders and an empty file': `mkdir -p p/q && ln -s ../a.txt p/link && echo : > p/q/run && chmod +x p/q/run && touch p/empty
    git add . && git commit -qm odd`,
}

for (const format of ['sha1', 'sha256'] as const) {
  for (const [name, script] of Object.entries(ORDINARY)) {
    test(`${name} arrives without a box, in a repository with ${format}`, async () => {
      const repo = aProject({ objectFormat: format })
      const run = await startedRun(repo)
      run.agent(script)
      const made = run.agent('git rev-parse HEAD').trim()
      const { imported, boxes } = await countBoxes(run)
      expect({ ...imported, boxes }).toMatchObject({ head: made, fault: null, refused: [], kept: [], boxes: 0 })
      expect(repo.git('rev-parse', BRANCH)).toBe(made)
      rmSync(run.git.folder, { recursive: true })
      expect(repo.run(['git', 'fsck', '--strict', '--no-dangling', '--no-progress'])).toMatchObject({ code: 0 })
      expect(run.worktree.git('status', '--porcelain')).toBe('')
      expect(left(repo)).toEqual([])
      expect(readdirSync(join(repo.dir, '.git/objects/pack'))).toEqual([])
    })
  }
}

const FETCHED = {
  'objects in a pack': `${COMMIT} && git repack -qd`,
  'many objects': 'for i in $(seq 120); do echo $i > f$i; done && git add . && git commit -qm many',
  'a large file': 'head -c 9000000 /dev/zero > large && git add large && git commit -qm large',
  'a history that does not continue the tip': 'git commit -q --amend --no-edit -m again',
}

for (const [name, script] of Object.entries(FETCHED)) {
  test(`${name}: the work is fetched in a box`, async () => {
    const run = await startedRun(aProject())
    run.agent(script)
    const made = run.agent('git rev-parse HEAD').trim()
    const { imported, boxes } = await countBoxes(run)
    expect({ ...imported, boxes }).toMatchObject({ head: made, refused: [], boxes: 1 })
    expect(left(run.repo)).toEqual([])
  })
}

test('a folder that git has, but not whole, is refused and leaves nothing', async () => {
  const repo = aProject()
  const blob = repo.git('hash-object', '-w', repo.write('lost.txt', 'lost\n'))
  rmSync(join(repo.dir, 'lost.txt'))
  const tree = mustMake(repo, `100644 blob ${blob}\tlost.txt\n`)
  rmSync(join(repo.dir, '.git/objects', blob.slice(0, 2), blob.slice(2)))
  const run = await startedRun(repo)
  run.agent(
    `all=$( (git ls-tree HEAD; printf '40000 tree ${tree}\\tdangling\\n') | git mktree --missing)
    git update-ref refs/heads/${BRANCH} $(git commit-tree $all -p HEAD -m bad)`,
  )
  const { imported, boxes } = await countBoxes(run)
  expect(imported.refused).toHaveLength(1)
  expect(boxes).toBe(1)
  expect(repo.git('rev-parse', BRANCH)).toBe(run.git.about.tip)
  expect(left(repo)).toEqual([])
})

function mustMake(repo: Repo, listing: string): string {
  return repo.run(['git', 'mktree', '--missing'], { stdin: listing }).stdout.trim()
}
