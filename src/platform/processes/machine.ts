/** The name that others see for runs on this machine. */
export function machineName(): string {
  return os().hostname()
}

/** Some clients refuse to skip their permission prompts as root unless they are told that they run in a sandbox. */
export function isRootUser(): boolean {
  return process.geteuid?.() === 0
}

/** Who runs this process; nobody on systems without such numbers. */
export function currentPerson(): { uid: number; gid: number } {
  return { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 }
}

/** Only Linux has namespaces and Landlock. */
export function isLinux(): boolean {
  return process.platform === 'linux'
}

/** How many processes can work at the same time. */
export function coreCount(): number {
  return os().availableParallelism()
}

/** Loaded only where it is asked: it takes 0.1 ms, and most commands do not need it. */
function os() {
  return process.getBuiltinModule('node:os')
}
