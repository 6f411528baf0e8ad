import { availableParallelism, hostname } from 'node:os'

/** The name by which runs on this machine are known to others. */
export function machineName(): string {
  return hostname()
}

/** Some clients refuse to skip their permission prompts as root unless told that they are in a sandbox. */
export function isRootUser(): boolean {
  return process.geteuid?.() === 0
}

/** How many processes can be at work at once. */
export function coreCount(): number {
  return availableParallelism()
}
