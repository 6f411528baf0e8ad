/** A filter of the person is a program of the tree, and an agent changes it. Outside of a box it does not run. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { expectNothingLeft, LEVELS } from '../runs/isolated-repo.ts'
import { anOwnTree, BOXES, DONE } from './own-tree-repo.ts'

/** Says whose it is and where it runs: a person's own settings of gza are hidden in a box. */
const WITNESS = `#!/bin/sh
whose=person
if [ -e "$HOME/.config/gza/config.yaml" ]; then where=outside; else where=inside; fi
echo "$whose $where" >>"$WITNESSES" || exit 1
tr A-Z a-z
`

const CHANGED = 'sed -i s/whose=person/whose=agent/ witness.sh; git commit -qam witness'

/** What was committed, only for the filter. With another size, git would not ask it. */
const TOUCH = 'echo A >a.txt; git add a.txt'

function aTree(level: (typeof LEVELS)[number], acts: Record<string, string>) {
  const files = { 'witness.sh': WITNESS, '.gitattributes': '*.txt filter=w\n', 'a.txt': 'a\n' }
  const repo = anOwnTree(level, acts, { files, env: { WITNESSES: '/dev/null' } })
  repo.git('config', 'filter.w.clean', 'sh ./witness.sh')
  const run = (...flags: string[]) => repo.run(repo.runLine(...flags), { env: { WITNESSES: repo.beside('witnesses') } })
  return { repo, run, witnesses: () => new Set(readFileSync(repo.beside('witnesses'), 'utf8').trim().split('\n')) }
}

for (const level of BOXES) {
  test(`${level}: between two tasks, a filter that the agent has changed runs only in a box`, () => {
    const { repo, run, witnesses } = aTree(level, {
      One: `${CHANGED}; ${TOUCH}; ${DONE}`,
      Two: `commit two.txt x; ${DONE}`,
    })
    repo.add('One')
    repo.add('Two')
    const { code, stdout, stderr } = run()
    expect(code, stdout + stderr).toBe(0)
    expect(repo.statuses()).toEqual({ One: 'completed', Two: 'completed' })
    expect(witnesses().has('agent inside')).toBe(true)
    expect(witnesses().has('agent outside')).toBe(false)
    expectNothingLeft(repo)
  })

  test(`${level}: the tree that an agent left dirty is looked at in a box when work starts again`, () => {
    const { repo, run, witnesses } = aTree(level, { One: `${CHANGED}; echo b >a.txt; exit 3` })
    repo.add('One')
    run('--once')
    const { code, stderr } = run('--once')
    expect(code).toBe(1)
    expect(stderr).toContain('The working tree has uncommitted changes: a.txt')
    expect(witnesses().has('agent inside')).toBe(true)
    expect(witnesses().has('agent outside')).toBe(false)
    expectNothingLeft(repo)
  })

  test(`${level}: what an agent leaves with its question is kept and put back in a box`, () => {
    const { repo, run, witnesses } = aTree(level, {
      One: `${CHANGED}; echo B >a.txt; echo NEW >new.txt; git tasks ask "$task" 'Which colour?'`,
    })
    repo.add('One')
    const { stdout, stderr } = run('--once')
    const [ended] = repo.task('1').runs
    expect(ended, stdout + stderr).toMatchObject({ outcome: 'interrupted', reason: 'question' })
    expect(repo.git('show', `refs/gza/kept/${ended?.run}/uncommitted:a.txt`)).toBe('b')
    expect(repo.git('show', `refs/gza/kept/${ended?.run}/uncommitted:new.txt`)).toBe('new')
    expect(witnesses().has('agent outside')).toBe(false)
    expect(readFileSync(`${repo.dir}/a.txt`, 'utf8')).toBe('a\n')
    expect(repo.git('status', '--porcelain')).toBe('')
  })
}

if (LEVELS.includes('landlock'))
  test('landlock: the look at the files is held, although the agent was not', () => {
    const change = `sed -i 's#^echo.*#echo "agent outside" >"$HOME/.config/gza/escaped"#' witness.sh; git commit -qam witness`
    const { repo, run } = aTree('landlock', {
      One: `${change}; rm -f "$HOME/.config/gza/escaped"; echo b >a.txt; exit 3`,
    })
    repo.add('One')
    run('--once')
    const { stderr } = run('--once')
    expect(stderr).toContain('The working tree has uncommitted changes: a.txt')
    expect(() => readFileSync(`${repo.env.HOME}/.config/gza/escaped`)).toThrow()
  })
