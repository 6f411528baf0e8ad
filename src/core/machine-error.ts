import { UserError } from './user-error.ts'

/** The reasons why a machine refuses something, in words. */
export const FORBIDDEN: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is exceeded',
}

const PATH_ERRORS: Readonly<Record<string, string>> = {
  ...FORBIDDEN,
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'something else has that name',
  ENAMETOOLONG: 'its name is too long for the file system',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** What the machine refuses is not a defect of gza, wherever it happens. Every other error stays unchanged. */
export function asUserError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error
  const { code = '', path, syscall = '', message } = error as Error & { code?: string; path?: string; syscall?: string }
  if (code === 'SQLITE_FULL') return diskFull(`A database of gza cannot be written: ${message}`, error)
  if (STORE.test(code)) return unusable(`A database of gza cannot be used: ${message}`, error)
  const why =
    PATH_ERRORS[code] ?? (code === 'ENOENT' && syscall === 'mkdtemp' ? 'its folder does not exist' : undefined)
  if (why === undefined || path === undefined) return error
  const fact = `${path} cannot be used: ${why}`
  if (READ_ONLY.has(code) && /\/\.git(?:\/|$)/.test(path)) return readOnly(fact, error)
  return code === 'ENOSPC' || code === 'EDQUOT' ? diskFull(fact, error) : unusable(fact, error)
}

/**
 * The reason is the machine, not a task or its agent: any other task would meet it too. What an agent may have caused,
 * such as files without permissions, counts only before it has worked.
 */
export function machineFault(thrown: unknown, { hasAgentWorked }: { hasAgentWorked: boolean }): UserError | null {
  const error = asUserError(thrown)
  if (!(error instanceof UserError)) return null
  const { code = '' } = (error.cause ?? {}) as { code?: string }
  const isMachines = OF_THE_MACHINE.has(error.code) || EXHAUSTED.test(code)
  return isMachines || (!hasAgentWorked && BEFORE_AN_AGENT.has(error.code)) ? error : null
}

const OF_THE_MACHINE = new Set([
  'DISK_FULL',
  'NO_GIT',
  'REPO_GONE',
  'WORKTREE_UNREADABLE',
  'LOG_UNWRITABLE',
  'LIVE_UNUSABLE',
  'ACCOUNT_UNUSABLE',
])
const BEFORE_AN_AGENT = new Set(['UNUSABLE_PATH', 'READ_ONLY', 'GIT_ENDED', 'BAD_GIT_CONFIG', 'NOT_YOURS'])
const EXHAUSTED = /^(ENOSPC|EDQUOT|EMFILE|ENFILE|SQLITE_)/

const STORE = /^SQLITE_(READONLY|CANTOPEN|FULL|IOERR)/

function diskFull(message: string, cause: Error): UserError {
  return new UserError('DISK_FULL', message, { hint: 'Free some space, then run the command again.', cause })
}

const READ_ONLY: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS'])

function readOnly(message: string, cause: Error): UserError {
  const hint = 'The repository cannot be written by this user: work in a clone of your own.'
  return new UserError('READ_ONLY', message, { hint, cause })
}

function unusable(message: string, cause: Error): UserError {
  return new UserError('UNUSABLE_PATH', message, {
    hint: 'HOME, the XDG variables and TMPDIR decide where gza writes outside of a repository.',
    cause,
  })
}
