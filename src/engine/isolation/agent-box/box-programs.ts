/**
 * Filters and merge drivers of the person may be files of the tree, or read some of it. gza's own git checks out and merges
 * what agents have committed, so it runs each of them in a box: git itself stays outside. Programs that run nothing of the
 * tree, such as git-lfs, stay as they are. Without such a program nothing of this costs anything.
 */
import { randomBytes } from 'node:crypto'
import type { Isolation, IsolationSettings, Level } from '../../../core/isolation/levels.ts'
import { shellWord } from '../../../core/text/shell-word.ts'
import { ensureFolder } from '../../../platform/files/files.ts'
import { realPath } from '../../../platform/files/inspect-file.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { runTreeProgramsAs, type TreePrograms } from '../../../platform/git/settings/checkout-place.ts'
import { neutralEntries } from '../../../platform/git/settings/executing-keys.ts'
import { boxedSetting, type Entry, type Programs } from '../../../platform/git/settings/neutral-settings.ts'
import { workplaceRoot } from '../../../platform/git/workplace-root.ts'
import { enclose } from '../box/enclose.ts'
import { isInside } from '../box/plan-mounts.ts'
import { findBoxMaker } from '../box/this-machine.ts'
import { planProgramBox } from './plan-box.ts'
import { findBoxLevel, findRunIsolation, type RunIsolation } from './run-level.ts'

/** What holds the agents of a run, and from now on the programs of this process's own git. `ownTree`: an agent works there. */
export async function isolateRuns(
  repo: Repo,
  settings: IsolationSettings,
  ownTree: string | null = null,
): Promise<RunIsolation> {
  const isolation = await findRunIsolation(settings, repo.env)
  boxPrograms(repo, isolation.level, ownTree)
  return isolation
}

/** Only the latter, for a command that starts none. Where a box is required and cannot be made, it still works. */
export async function isolatePrograms(repo: Repo, wanted: Isolation = 'auto'): Promise<void> {
  if (!isDecided) boxPrograms(repo, wanted === 'off' ? 'none' : await findBoxLevel(repo.env), null)
}

let isDecided = false

function boxPrograms(repo: Repo, level: Level, ownTree: string | null): void {
  isDecided = true
  const box = (programs: TreePrograms, tree: string) => boxedPrograms(programs, { repo, level, tree, ownTree })
  runTreeProgramsAs(repo, level === 'none' ? null : box)
}

interface Place {
  repo: Repo
  level: Level
  /** Where git works. */
  tree: string
  ownTree: string | null
}

function boxedPrograms({ onFiles, fetching }: TreePrograms, { repo, level, tree, ownTree }: Place): Programs {
  const root = workplaceRoot(repo, repo.env)
  // A worktree that git is about to make must be there in the box.
  ensureFolder(root)
  const { filter: filters = [], merge: drivers = [], core: monitors = [] } = Object.groupBy(onFiles, sectionOf)
  const end = `gza-${randomBytes(12).toString('hex')}`
  // A driver writes beside the files. Elsewhere than in an agent's tree, git's own merge takes its place.
  const mayDrive = realPath(tree) === ownTree || isInside(realPath(tree), realPath(root))
  return {
    settings: [
      ...filters.map(({ key, value }) => ({ key, value: boxedSetting(value, { variable: FILTER, end }) })),
      // Git finds the changes itself.
      ...monitors.flatMap(neutralEntries),
      ...(mayDrive ? fetching.flatMap(neutralEntries) : []),
      ...drivers.flatMap((entry) =>
        mayDrive
          ? [{ key: entry.key, value: boxedSetting(entry.value, { variable: DRIVER, end }) }]
          : neutralEntries(entry),
      ),
    ],
    env: {
      ...(filters.length > 0 && { [FILTER]: boxWords(repo, level, []) }),
      ...(drivers.length > 0 && mayDrive && { [DRIVER]: boxWords(repo, level, [tree]) }),
    },
  }
}

const FILTER = 'GZA_FILTER_BOX'
const DRIVER = 'GZA_DRIVER_BOX'

function sectionOf({ key }: Entry): string {
  return key.split('.', 1)[0] ?? ''
}

/** What runs `$command` in a box, for a shell. Git starts that shell in the top folder of the tree that it writes. */
function boxWords(repo: Repo, level: Level, writable: readonly string[]): string {
  const maker = findBoxMaker()
  const command = { argv: [maker.sh, '-c', INSIDE, 'gza-program'], cwd: '/', env: { HOME: repo.env.HOME } }
  const words = enclose(level, planProgramBox(repo, writable), command, maker).argv.map(shellWord)
  return [...words, '"$PWD"', '"$command"'].join(' ')
}

/** /tmp cannot be written. What is in /dev/shm is gone with the box. */
const INSIDE = 'cd "$1" && TMPDIR=/dev/shm exec sh -c "$2"'
