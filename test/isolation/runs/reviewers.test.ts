/** What a reviewer sees and can write of the commit that it judges, at each level, as root and as an ordinary user. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Level } from '../../../src/core/isolation/levels.ts'
import { ORDINARY, type Pair, through, USERS } from '../../clients/pairs.ts'
import { bin } from '../../support/built-program.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { LEVELS, setIsolation } from './isolated-repo.ts'
import { CAN_HIDE_LEVELS, withoutLevels } from './without-levels.ts'

// The checkout may be in a folder that only root can enter.
const folder = mkdtempSync('/var/tmp/gza-program-')
const { GZA_BIN } = process.env

beforeAll(() => {
  chmodSync(folder, 0o755)
  copyFileSync(bin('gza'), join(folder, 'gza'))
  chmodSync(join(folder, 'gza'), 0o755)
  symlinkSync('gza', join(folder, 'git-tasks'))
  process.env.GZA_BIN = join(folder, 'gza')
})

afterAll(() => {
  if (GZA_BIN === undefined) delete process.env.GZA_BIN
  else process.env.GZA_BIN = GZA_BIN
  rmSync(folder, { recursive: true })
})

/** The agent that is judged plants what each client would load, on the top and in a folder. */
const PLANTED = ['.claude/settings.json', '.mcp.json', '.qwen/settings.json', '.gemini/settings.json']
const PLANTED_TOO = ['.codex/config.toml', '.opencode/plugin/x.js', 'opencode.json', '.github/hooks/x.json', '.env']
const ALL = [...PLANTED, ...PLANTED_TOO].flatMap((path) => [path, `sub/${path}`])

const IMPLEMENT = `
for name in ${ALL.join(' ')}; do save "$name" planted; done
save work.txt work; save sub/kept.txt kept; git add -Af . && git commit -qm work`

/** Each line of \`written\` is something that it could change outside of the folder of its review. */
const REVIEW = `
find . -name .git -prune -o \\( -type f -o -type l \\) -print | sort >"$beside/seen"
try() { "$@" 2>/dev/null && echo "$*" >>"$beside/written"; }
try cp README.md work.txt; try cp README.md sub/new.txt; try cp README.md new.txt; try rm work.txt; try mv sub elsewhere
try mkdir -p .claude; try cp README.md .mcp.json; try ln -s README.md opencode.json
file=$(grep -o -m1 '[^ \`]*reviews/[^ \`]*\\.md' <<<"$prompt" | head -1)
mkdir -p "$(dirname "$file")"
printf '# Review\\n\\nRead it all, line by line.\\n\\n**Verdict: APPROVED**\\n' >"$file" && echo "$file" >"$beside/file"`

function aRepoOf(pair: Pair): AgentRepo {
  const act = `case $prompt in "You are reviewing"*) ${REVIEW} ;; *) ${IMPLEMENT} ;; esac`
  const repo = anAgentRepo({ else: act }, { besideIn: 'beside', through: (root) => startOf(pair, root) })
  setIsolation(repo, 'auto')
  return repo
}

function startOf(pair: Pair, root: string): string[] {
  return pair.level === 'none' ? withoutLevels(root, pair.user === 'user' ? ORDINARY : 0) : through(pair, root)
}

const HERE: readonly Level[] =
  process.getuid?.() === 0 ? [...LEVELS, ...(CAN_HIDE_LEVELS ? (['none'] as const) : [])] : []
const PAIRS = HERE.flatMap((level) => USERS.map((user) => ({ level, user })))
if (PAIRS.length === 0)
  console.warn('NOT TESTED: reviewers at each level, which needs root to hide the stronger levels')

for (const pair of PAIRS)
  test(`${pair.level}, ${pair.user}: a reviewer sees no configuration of clients, and nothing is kept but its review`, () => {
    const repo = aRepoOf(pair)
    repo.add('Reviewed', '--auto-review')
    const printed = outputOf(repo.gza('work', '1'))
    const { runs, final_verdict, branch } = repo.task('1')
    expect(runs, printed).toMatchObject([{ outcome: 'completed', isolation: pair.level, review_cycle: 1 }])
    expect(final_verdict).toBe('APPROVED')
    const read = (name: string) => readFileSync(repo.beside(name), 'utf8').trim()
    expect(read('seen').split('\n')).toEqual(['./README.md', './gza.yaml', './sub/kept.txt', './work.txt'])
    expect(read('file')).toContain('reviews/')
    // Without a level nothing refuses it. Its checkout is thrown away.
    if (pair.level !== 'none') expect(() => read('written')).toThrow()
    expect(repo.git('log', '--format=%s', `main..${branch}`)).toBe('work')
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(repo.worktrees()).toEqual([])
    // They are in the commit: the diff of the review showed them.
    expect(repo.git('ls-tree', '-r', '--name-only', branch ?? '').split('\n')).toEqual(expect.arrayContaining(ALL))
  })
