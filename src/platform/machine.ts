import { hostname } from 'node:os'

/** The name by which runs on this machine are known to others. */
export function machineName(): string {
  return hostname()
}
