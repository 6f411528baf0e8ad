import { type GitPlace, tryGit } from '../git/git.ts'

type PagerEnd = { kind: 'shown' } | { kind: 'none' } | { kind: 'failed'; pager: string }

/** Shows the parts in the person's pager, and waits until it has ended. One that ends early has shown enough. */
export async function runPager(place: GitPlace, parts: readonly Uint8Array[]): Promise<PagerEnd> {
  const pager = pagerCommand(place)
  if (pager === '' || pager === 'cat') return { kind: 'none' }
  // Ctrl-C in the pager is for the pager.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  try {
    const code = await runShell(pager, place, parts)
    return CANNOT_START.includes(code) ? { kind: 'failed', pager } : { kind: 'shown' }
  } finally {
    process.off('SIGINT', ignore)
  }
}

/** GZA_PAGER, then as git decides: GIT_PAGER, core.pager, PAGER, and its own default. */
function pagerCommand(place: GitPlace): string {
  const own = place.env.GZA_PAGER
  if (own !== undefined) return own.trim()
  const exit = tryGit(place, ['var', 'GIT_PAGER'])
  return exit.code === 0 ? exit.stdout.toString().trim() : 'cat'
}

/** What a shell reports for a program that it cannot find or run. */
const CANNOT_START: readonly (number | null)[] = [126, 127]

async function runShell(pager: string, { dir, env }: GitPlace, parts: readonly Uint8Array[]): Promise<number | null> {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _beBun, ...rest } = env
  const child = Bun.spawn(['sh', '-c', pager], {
    cwd: dir,
    // As git does it: less ends at once if all fits on the screen, keeps colours, and leaves the text on the screen.
    env: { LESS: 'FRX', LV: '-c', ...rest },
    stdin: new Blob(parts as Uint8Array<ArrayBuffer>[]),
    stdout: 'inherit',
    stderr: 'inherit',
  })
  return child.exited
}
