import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The npm package on which a night is tested (docs/clients.md): an XML parser with its tests, which need only node. */
export const PACKAGE = 'sax@0.5.8'

/**
 * Puts the package's tarball into the folder, from the registry that npm is configured with, and returns its path. If
 * that fails it prints why, and the test that misses the file fails.
 */
export function fetchPackage(folder: string): string {
  const args = ['pack', PACKAGE, '--loglevel=error', '--pack-destination', folder]
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) console.log(`npm ${args.join(' ')}: ${error?.message ?? (stderr || `exit code ${status}`)}`)
  return join(folder, stdout?.trim() || PACKAGE)
}
