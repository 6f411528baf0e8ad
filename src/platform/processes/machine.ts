import { availableParallelism, hostname } from 'node:os'

/** The name that others see for runs on this machine. */
export function machineName(): string {
  return hostname()
}

/** Some clients refuse to skip their permission prompts as root unless they are told that they run in a sandbox. */
export function isRootUser(): boolean {
  return process.geteuid?.() === 0
}

/** How many processes can work at the same time. */
export function coreCount(): number {
  return availableParallelism()
}
