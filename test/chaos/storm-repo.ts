import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { addRemote, aSecondClone } from '../runs/clones/clone-repos.ts'
import { aReviewRepo, type ReviewRepo } from '../runs/review-cycles/review-repo.ts'
import { outputOf } from '../support/ledger-answers.ts'
import type { Repo, RepoOptions } from '../support/repo.ts'
import type { Choice } from './seeded-choice.ts'

/** One repository whose tasks agents do, review and land, and a second clone of the same bare remote. */
export interface StormRepo {
  main: ReviewRepo
  second: Repo
  /** What was acknowledged: uid to title. */
  added: Map<string, string>
  /** Adds a task for agents. */
  add(repo: Repo, choice: Choice): Promise<void>
  /** Adds a task that nobody but a person closes; its id. */
  addForPerson(repo: Repo): Promise<string>
  /** How often an agent was called so far. */
  calls(): number
  /** How often main has moved so far, as a number that only grows. */
  moves(): number
  /** The titles of tasks that two agents had at the same time. */
  overlaps(): string[]
  note(line: string): void
}

const KINDS = ['plain', 'loose', 'failing', 'daemon', 'counted', 'listed'] as const

/** How the title of a task begins that a person closes. */
export const FOR_PERSON = 'person-'

export function aStormRepo({ isolation }: Pick<RepoOptions, 'isolation'>): StormRepo {
  const main = aReviewRepo([], ACTS, {
    defaults: { auto_review: true, max_attempts: 99, max_review_cycles: 9 },
    // A worker or a task that begins while the person is on another branch is still for main.
    config: { ledger: 'main', land: 'merge', land_attempts: 99, verify: { command: 'sh check.sh' } },
    files: FILES,
    ...(isolation && { isolation }),
  })
  for (const folder of ['locks', 'failed', 'left-locks']) mkdirSync(main.beside(folder))
  addRemote(main)
  const added = new Map<string, string>()
  // Counted before the task is filed: both clones file tasks at the same time, and each title is used once.
  let titles = 0
  const addTitle = async (repo: Repo, kind: string): Promise<string> => {
    const title = `${kind}${++titles}`
    const { uid, id } = JSON.parse(outputOf(await repo.start(['gza', 'add', title, '--json'])))
    added.set(uid, title)
    return id
  }
  return {
    main,
    second: aSecondClone(main),
    added,
    add: async (repo, choice) => void (await addTitle(repo, `${choice.oneOf(KINDS)}-`)),
    addForPerson: (repo) => addTitle(repo, FOR_PERSON),
    calls: () => readdirSync(main.beside('calls')).length,
    moves: () => statSync(join(main.dir, '.git/logs/refs/heads/main')).size,
    overlaps: () =>
      existsSync(main.beside('overlaps')) ? readFileSync(main.beside('overlaps'), 'utf8').split('\n') : [],
    note: (line) => appendFileSync(main.beside('storm.log'), `${line}\n`),
  }
}

/** Two parts of a task are green only together; two countings are green alone and red together. */
const CHECK = `for half in parts/*.a; do
  [ ! -e "$half" ] || cmp -s "$half" "\${half%.a}.b" || exit 1
done
for half in parts/*.b; do
  [ ! -e "$half" ] || cmp -s "$half" "\${half%.b}.a" || exit 1
done
[ "$(cat count.txt)" -eq "$(ls counted | wc -l)" ] || exit 1
! grep -q '^[<=>]\\{7\\}' list.txt
`

const FILES = {
  'check.sh': CHECK,
  'count.txt': '0\n',
  'counted/.keep': '',
  'list.txt': 'first\n',
  'person/notes.txt': 'notes\n',
}

/**
 * Each call holds a lock of its task as long as one of its processes lives; one that finds it taken says by whom. What it
 * does can be repeated: a killed call leaves any part of it behind. A kill may also hit one of its children alone: then it
 * fails, and a flock that did not answer is asked again.
 */
const IMPLEMENT = `
set -eo pipefail
[ -n "$title" ]
exec 9>"$beside/locks/$title"
holders() {
  for p in /proc/[0-9]*; do
    ls -l "$p/fd" 2>/dev/null | grep -q "locks/$title$" || continue
    echo "$(tr '\\0' ' ' <"$p/cmdline") $(grep -a State "$p/status");"
  done
}
until flock -n -E 99 9; do
  [ $? -eq 99 ] || continue
  exec 9>&-
  echo "$title, held by: $(holders 2>/dev/null | tr '\\n' ' ')" >>"$beside/overlaps"
  break
done
keep() { git add --all . && { git diff --cached --quiet || git commit -qm "$title: $1"; }; }
half() { save "parts/$title.$1" "$title"; }
pause() { sleep "0.$((RANDOM % 3))"; }
count() { ls counted | wc -l >count.txt; }
onto=$(sed -n 's/.*(git merge \\([0-9a-f]*\\)).*/\\1/p;T;q' <<<"$prompt")
if [ -n "$onto" ] && ! git merge -q --no-edit "$onto" >/dev/null 2>&1; then
  grep -v '^[<=>]\\{7\\}' list.txt | sort -u >list.new; mv list.new list.txt
  count; keep "merge"
fi
save "done/$title" "$title"; keep marker
case $title in
loose-*) half a; keep a; pause; half b;;
failing-*) half a
  [ -e "$beside/failed/$title" ] || { touch "$beside/failed/$title"; exit 1; }
  half b; keep b;;
daemon-*) (setsid "$beside/lurk" >/dev/null 2>&1 &); half a; keep a; half b; keep b;;
counted-*) save "counted/$title" "$title"; pause; count; keep counted;;
listed-*) { cat list.txt; echo "$title"; } | sort -u >list.new; mv list.new list.txt; pause; keep listed;;
*) half a; keep a; pause; half b; keep b;;
esac
echo "all of it is there"
`

const ACTS = {
  implement: IMPLEMENT,
  review: 'case $title-$cycle in *[37]-1) judge CHANGES_REQUESTED "say more";; *) judge APPROVED;; esac',
  improve: 'commit "improved/$title" "after review $cycle, by $call"',
}
