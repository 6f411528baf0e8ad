import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { anOwnTree, BOXES, DONE } from './own-tree-repo.ts'

/** Repositories of each kind whose settings run a program, and one that is tracked. */
const PLANT = `
plant() { git -C "$1" config core.fsmonitor "touch $beside/ran"; }
(
git init -q lib && git -C lib commit -q --allow-empty -m inside && plant lib && git add lib
git init -q --bare bare/deep.git && plant bare/deep.git
mkdir link && echo "gitdir: $PWD/bare/deep.git" >link/.git
mkdir -p node_modules/x && git init -q node_modules/x && plant node_modules/x
echo node_modules >.gitignore
echo bare >>.gitignore; echo link >>.gitignore
git add .gitignore && git commit -qm linked
) >/dev/null 2>&1
rm -f "$beside/ran"; ${DONE}`

for (const level of [...BOXES, 'off'] as const) {
  test(`${level}: repositories that an agent makes in the person’s tree are reported, and nothing of them runs`, () => {
    const repo = anOwnTree(level, { Plant: PLANT })
    repo.add('Plant')
    const { stdout, stderr } = repo.runTasks('--once')
    expect(existsSync(repo.beside('ran'))).toBe(false)
    const found = repo.inbox().filter(({ code }) => code === 'NESTED_REPOSITORY')
    expect(
      found.map(({ subject }) => subject),
      stdout + stderr,
    ).toEqual(['bare/deep.git', 'lib', 'link', 'node_modules/x'])
    expect(found[1]?.detail).toContain('lib/.git/config')
    for (const folder of ['lib', 'link', 'bare/deep.git', 'node_modules/x'])
      expect(stdout).toContain(`a repository appeared in ${folder}`)
    expect(existsSync(repo.beside('ran'))).toBe(false)
    repo.gza('resolve', 'lib', '--skip')
    expect(repo.inbox().map(({ subject }) => subject)).not.toContain('lib')
    // The trap works: a plain status runs it.
    repo.git('status')
    expect(existsSync(repo.beside('ran'))).toBe(true)
  })
}
