import { isBox, type Level } from './levels.ts'

/** What a level promises. A text says how far; only `yes` counts. Boxes keep all of it. */
interface Promised {
  what: string
  landlock: string
}

export const PROMISES = {
  hides: { what: 'Hidden folders are empty.', landlock: 'no' },
  refusesWrites: { what: 'What is read-only cannot be written, removed, renamed or replaced.', landlock: 'yes' },
  keepsModes: { what: 'Its mode and its times cannot be changed.', landlock: 'no' },
  showsOthers: { what: 'A file that is shown over another cannot be replaced or removed.', landlock: 'no' },
  opensFolders: { what: 'New files can be made beside something that is protected.', landlock: 'no' },
  privateTemporary: { what: '`/tmp` is private.', landlock: 'no, but `TMPDIR` is' },
  cutsNetwork: { what: 'There is no network where it is off.', landlock: 'TCP only, from Linux 6.7' },
  hidesProcesses: { what: 'Processes outside cannot be seen.', landlock: 'no' },
  refusesSignals: { what: 'Processes outside cannot be signalled.', landlock: 'from Linux 6.12' },
  dropsPrivileges: {
    what: 'There are no new privileges (sudo, setuid programs) and no capabilities.',
    landlock: 'yes',
  },
  protectsSystem: { what: 'Disks and settings of the kernel cannot be written, also not by root.', landlock: 'yes' },
  nests: { what: "A client's own sandbox works inside.", landlock: 'no' },
  diesWithGza: {
    what: 'No process is left after a kill -9 of gza.',
    landlock: 'no, they are ended when work starts again',
  },
} as const satisfies Record<string, Promised>

export type PromiseName = keyof typeof PROMISES

export function keeps(level: Level, name: PromiseName): boolean {
  return isBox(level) || (level === 'landlock' && PROMISES[name].landlock === 'yes')
}
