import { UserError } from './user-error.ts'

/** What a machine forbids, in words. */
export const FORBIDDEN: Readonly<Record<string, string>> = {
  EACCES: 'you may not',
  EPERM: 'you may not',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
}

const ON_THE_WAY: Readonly<Record<string, string>> = {
  ...FORBIDDEN,
  ENOTDIR: 'something on the way to it is no folder',
  EEXIST: 'something else goes by its name',
  ENAMETOOLONG: 'its name is too long for the file system',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** What the machine forbids is no defect of ours, wherever it shows; every other error stays as it is. */
export function asUserError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error
  const { code = '', path, syscall = '', message } = error as Error & { code?: string; path?: string; syscall?: string }
  if (STORE.test(code)) return unusable(`A store of gza cannot be used: ${message}`, error)
  const why = ON_THE_WAY[code] ?? (code === 'ENOENT' && syscall === 'mkdtemp' ? 'its folder is not there' : undefined)
  return why === undefined || path === undefined ? error : unusable(`${path} cannot be used: ${why}`, error)
}

const STORE = /^SQLITE_(READONLY|CANTOPEN|FULL|IOERR)/

function unusable(message: string, cause: Error): UserError {
  return new UserError('UNUSABLE_PATH', message, {
    hint: 'HOME, the XDG variables and TMPDIR say where gza writes outside of a repository.',
    cause,
  })
}
