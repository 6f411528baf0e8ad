import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'

/**
 * Tasks that are in each other's way, by the first word of their titles. Each is green alone.
 *
 * - seat: takes a number that no other may have; load: takes its part of a sum that has a bound. Together they are red
 * - line: adds a line at the same end of a file as others do; they clash
 * - veto, mine: the same two without insight: sent back, they insist
 * - ci: changes what only a person may land; next: builds on another task; lone: conflicts with no other
 */
export interface ConflictingTasks extends AgentRepo {
  /** Every commit that an agent has left as its branch's tip, with its task's title. */
  left(): { title: string; commit: string }[]
  /** Its exit code. */
  workAll(...flags: string[]): number
}

/** `begun`: nothing is verified for landing until so many calls of the agent were made, so that they clash for certain. */
export function conflictingTasks(titles: readonly string[], begun: number): ConflictingTasks {
  const config = { land: 'cherry-pick', verify: { command: 'sh verify.sh' } }
  const repo = anAgentRepo({ ...ACTS, else: 'commit "lone/$title" 1; left' }, { config, files: FILES })
  const list = repo.write('../TODO.md', titles.map((title) => `- [ ] ${title}\n`).join(''))
  outputOf(repo.gza('import', list))
  const env = { BESIDE: repo.beside('.'), BEGUN: String(begun) }
  return {
    ...repo,
    left: () =>
      repo
        .run(['cat', repo.beside('left')])
        .stdout.trim()
        .split('\n')
        .map((line) => ({ title: line.split(' ')[0] ?? '', commit: line.split(' ')[1] ?? '' })),
    // The check waits for agents, so agents must not wait for the check of the base.
    workAll: (...flags) =>
      repo.run(['gza', 'work', '--all', '--no-base-check', '--workers', '8', ...flags], { env, timeout: 280_000 }).code,
  }
}

/** How many titles of a kind, `seat-1` and so on. */
export function titlesOf(kinds: Record<string, number>): string[] {
  return Object.entries(kinds).flatMap(([kind, many]) => Array.from({ length: many }, (_, at) => `${kind}-${at + 1}`))
}

const LINE_FILES = 6

/** Seats, loads and vetoes are added up over all files; lines only ever clash in git. */
const VERIFY = `
case $PWD in
*/.land/*) until [ "$(ls "$BESIDE/calls" | wc -l)" -ge "$BEGUN" ]; do sleep 0.1; done;;
esac
! grep -q '^<<<<<<<' lines/* || { echo 'a conflict was left'; exit 1; }
exec awk '
FILENAME ~ /^seats/ && taken[$1]++ { why = "two have seat " $1 }
FILENAME ~ /^loads/ && (sum += $1) > 20 { why = "the load is " sum }
FILENAME ~ /^vetoes/ && vetoes++ { why = "two have a veto" }
END { if (why) { print why; exit 1 } }' seats/* loads/* vetoes/*
`

const FILES = {
  'verify.sh': VERIFY,
  'mine.txt': "nobody's\n",
  ...Object.fromEntries(['seats', 'loads', 'vetoes'].map((folder) => [`${folder}/none`, ''])),
  ...Object.fromEntries(Array.from({ length: LINE_FILES }, (_, at) => [`lines/${at}.txt`, 'the first line\n'])),
}

/** What landed meanwhile comes in by a merge, as the prompt asks; both sides of a file are kept. */
const CATCH_UP = `
number=\${title#*-}
left() { echo "$title $(git rev-parse HEAD)" >>"$beside/left"; }
times=$(grep -c "^$title " "$beside/left" 2>/dev/null)
if grep -q 'could not land' <<<"$prompt"; then
  git merge -q "$(sed -n 's/.*(git merge \\([0-9a-f]*\\)).*/\\1/p' <<<"$prompt")" >/dev/null 2>&1 ||
    for file in $(git diff --name-only --diff-filter=U); do
      both=$({ git show "HEAD:$file"; git show "MERGE_HEAD:$file"; } | awk '!seen[$0]++')
      save "$file" "$both"; git add "$file"
    done
  ! git rev-parse -q --verify MERGE_HEAD >/dev/null || git commit -q --no-edit
fi
`

const INSIST = 'left() { echo "$title $(git rev-parse HEAD)" >>"$beside/left"; }\n'

/** At the third attempt they take what no other task can have: one that follows the rules lands after at most two send-backs. */
const ACTS: Record<string, string> = {
  'seat-*': `${CATCH_UP}
    seat=$((number % 4)); [ "\${times:-0}" -lt 2 ] || seat=$((100 + number))
    rm -f "seats/$title"
    while grep -qx "$seat" seats/*; do seat=$((seat + 1)); done
    commit "seats/$title" "$seat"; left`,
  'load-*': `${CATCH_UP}
    rm -f "loads/$title"
    free=$((20 - $(cat loads/* | awk '{ sum += $1 } END { print sum + 0 }')))
    load=$((free < 4 ? free : 4)); [ "\${times:-0}" -lt 2 ] || load=0
    commit "loads/$title" "$load"; left`,
  'line-*': `${CATCH_UP}
    file=lines/$((number % ${LINE_FILES})).txt
    grep -qx "$title" "$file" || commit "$file" "$(cat "$file"; echo "$title")"
    commit "about/$title" "$times"; left`,
  'veto-*': `${INSIST} commit "vetoes/$title" "$call"; left`,
  'mine-*': `${INSIST} commit mine.txt "$title $call"; left`,
  'ci-*': `${INSIST} commit ".github/$title.yml" 1; left`,
  'next-*': `${CATCH_UP} commit "next/$title" "$times"; left`,
  'lone-*': `${INSIST} commit "lone/$title" 1; commit "lone/$title-too" 1; left`,
}
