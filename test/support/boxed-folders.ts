/**
 * Test files whose scripted agents run in a box, as the built-in setting has it: what a user lives through by day and by
 * night. A box costs each phase and each check some time, so the other files use none.
 */
const IN_BOXES = [
  ...['test/runs/', 'test/landing/', 'test/scheduler/', 'test/chaos/', 'test/notify/', 'test/isolation/'],
  'test/live-output/demo.test.ts',
]

let hasBoxes = true

/** Called when a test file is loaded (preload.ts). */
export function chooseBoxes(path: string): void {
  hasBoxes = IN_BOXES.some((part) => path.includes(`/${part}`))
}

/** For a repository with a scripted agent. Scripts that load no test file use boxes. */
export function isolationHere(): { isolation?: 'off' } {
  return hasBoxes ? {} : { isolation: 'off' }
}
