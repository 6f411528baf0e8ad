export interface TestCounts {
  passed: number
  failed: number
  skipped: number
}

/** The counts in the output of one test runner up to a line; null if the line contains no counts. */
export type CountReader = (line: string) => TestCounts | null
