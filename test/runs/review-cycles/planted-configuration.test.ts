import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { aReviewRepo } from './review-repo.ts'

/** Configuration that clients execute, as an agent could plant it for its reviewer. */
const PLANTED = `
for name in .claude/settings.json sub/.claude/settings.json .mcp.json .qwen/settings.json .gemini/settings.json \\
  .codex/config.toml .opencode/plugin/x.js opencode.json .cursor/hooks.json .github/hooks/x.json .env bunfig.toml
do save "$name" "planted in $name"; done
mkdir -p deep plain && save plain/settings.json linked && ln -s ../plain deep/.claude && ln -s plain .copilot
save CLAUDE.md words && save AGENTS.md words && save feature.txt x && save 'sub/kept.txt' kept
git add -Af . && git commit -qm planted
`

const LOOK = `
find . -name .git -prune -o \\( -type f -o -type l \\) -print | sort >"$beside/seen"
git status --porcelain --ignored >"$beside/status"; git diff HEAD >>"$beside/status"
git show HEAD:.claude/settings.json >"$beside/shown"
judge APPROVED
`

test('a reviewer’s checkout has no configuration that a client would execute, and git reports no deletion', () => {
  const files = { '.claude/own.json': 'of the project\n', '.mcp.json': '{}\n' }
  // What the set-up runs is the commit's own: it can plant files too.
  const config = { worktree: { setup: 'mkdir -p sub/.kiro && echo planted > sub/.kiro/hooks.json' } }
  const repo = aReviewRepo([], { implement: PLANTED, review: LOOK }, { files, config })
  repo.add('feature', '-t', 'implement', '-a')
  expect(repo.gza('work').code).toBe(0)
  const read = (name: string) => readFileSync(repo.beside(name), 'utf8')
  expect(read('seen').trim().split('\n')).toEqual([
    ...['./AGENTS.md', './CLAUDE.md', './README.md', './feature.txt', './gza.yaml', './plain/settings.json'],
    './sub/kept.txt',
  ])
  expect(read('status')).toBe('')
  expect(read('shown')).toBe('planted in .claude/settings.json\n')
  expect(repo.task('1').final_verdict).toBe('APPROVED')
  const prompt = repo.promptOf('review 1')
  const diff = prompt.slice(prompt.indexOf('--- BEGIN diff of'))
  for (const name of ['.claude/settings.json', 'sub/.claude/settings.json', '.mcp.json', '.env', 'deep/.claude'])
    expect(diff.split(`diff --git a/${name} b/${name}\n`)).toHaveLength(2)
  expect(diff.indexOf('planted in .env')).toBeLessThan(diff.indexOf('diff --git a/feature.txt'))
})

test('an implementer still has the project’s own configuration', () => {
  const files = { '.claude/settings.json': '{}\n' }
  const repo = aReviewRepo(['APPROVED'], { implement: 'ls -A .claude >"$beside/own"; commit a.txt x' }, { files })
  repo.add('feature', '-t', 'implement', '-a')
  expect(repo.gza('work').code).toBe(0)
  expect(readFileSync(repo.beside('own'), 'utf8')).toBe('settings.json\n')
})
