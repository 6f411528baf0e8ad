import { UserError } from '../../core/user-error.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export function checkedShell(name: string): Shell {
  const shell = SHELLS.find((known) => known === name)
  if (shell) return shell
  throw new UserError('UNKNOWN_SHELL', `Unknown shell "${name}"`, {
    hint: `Supported shells: ${SHELLS.join(', ')}.`,
    exitCode: 2,
  })
}

/** The user's login shell, if it is one of these. */
export function shellFromPath(path: string | undefined): Shell {
  return SHELLS.find((known) => path?.endsWith(`/${known}`)) ?? 'bash'
}
