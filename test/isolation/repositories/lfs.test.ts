import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import { aProject, BOXES, expectLanded, type Project } from './whole-run.ts'

function withLfs(repo: Project): void {
  repo.git('lfs', 'install', '--local')
  repo.git('lfs', 'track', '*.bin')
  repo.commit('lfs', { 'old.bin': 'old\n' })
}

function hashOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

const ACT = `
test "$(cat old.bin)" = old
printf new >new.bin && git add new.bin && git commit -qm new
printf left >left.bin`

if (isHere(TOOLS.lfs))
  for (const level of BOXES)
    test(`${level}: LFS objects of an agent arrive, by their hash, also of what it left uncommitted`, () => {
      const command = 'test ! -e new.bin || test "$(cat old.bin new.bin left.bin | tr -d "\\n")" = oldnewleft'
      const repo = aProject(level, ACT, { config: { verify: { command } } })
      withLfs(repo)
      const at = repo.at(repo.dir)
      expectLanded(at, repo, level)
      for (const text of ['new', 'left']) {
        const oid = hashOf(text)
        const object = join(at.dir, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid)
        expect(hashOf(readFileSync(object, 'utf8'))).toBe(oid)
        expect(at.git('show', `main:${text}.bin`)).toContain(`oid sha256:${oid}`)
        expect(readFileSync(join(at.dir, `${text}.bin`), 'utf8')).toBe(text)
      }
      at.git('lfs', 'fsck')
    })
