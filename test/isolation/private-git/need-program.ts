import { runProcess } from '../../support/run-process.ts'

/** A program of the system that a test runs for real. It is installed from Debian where that is possible. */
export function needProgram(program: string, debianPackage: string): void {
  if (Bun.which(program) !== null) return
  if (process.getuid?.() === 0 && Bun.which('apt-get') !== null)
    runProcess(['apt-get', 'install', '-y', debianPackage], { env: process.env })
  if (Bun.which(program) === null) throw new Error(`this test needs ${program}: install the package ${debianPackage}`)
}
