import type { FailureReader, Findings, FoundFailure } from './failure-reader.ts'

/**
 * `--- FAIL: TestAdds (0.00s)`. Its log lines follow, or come first with `-v`. A test that fails because of its subtests
 * is not reported beside them.
 */
const goPlain: FailureReader = (found) => {
  const read = readGo(found)
  return (line) => read(line, '')
}

/** `go test -json`: the same lines, each in an event. Packages run side by side. */
const goEvents: FailureReader = (found) => {
  const packages = new Map<string, ReturnType<typeof readGo>>()
  return (line) => {
    const event = eventOf(line)
    if (event === null) return
    const read = packages.get(event.Package) ?? readGo(found)
    packages.set(event.Package, read)
    for (const text of event.Output.split('\n')) if (text !== '') read(text, event.Test)
  }
}

function readGo(found: Findings): (line: string, test: string) => void {
  const logged = new Map<string, string>()
  let running = ''
  let open: FoundFailure | null = null
  return (line, test) => {
    const [, name] = /^\s*--- FAIL: (\S+) \([\d.]+s\)$/.exec(line) ?? []
    if (name !== undefined) {
      dropParent(found, name)
      open = found.add(name, logged.get(name) ?? '')
      return
    }
    const [, next] = /^=== (?:RUN|CONT|NAME)\s+(\S+)$/.exec(line) ?? []
    if (next !== undefined) {
      running = next
      open = null
    }
    const message = logLine(line)
    if (message === null) {
      if (/^\S/.test(line) && !line.startsWith('panic: ')) open = null
      return
    }
    const subject = test === '' ? running : test
    if (!logged.has(subject)) logged.set(subject, message)
    if (open !== null && open.message === '') open.message = message
  }
}

/** `    math_test.go:8: got 3, want 4` */
function logLine(line: string): string | null {
  const [, panic] = /^(panic: .+?)(?: \[recovered.*)?$/.exec(line) ?? []
  const [, place, text] = /^\s+(\w[\w.-]*\.go:\d+): (.+)$/.exec(line) ?? []
  return panic ?? (place === undefined ? null : `${text} (${place})`)
}

function dropParent(found: Findings, name: string): void {
  const parent = name.slice(0, name.lastIndexOf('/'))
  if (name.includes('/')) found.drop({ name: parent, message: '' })
}

function eventOf(line: string): { Package: string; Test: string; Output: string } | null {
  if (!line.startsWith('{') || !line.includes('"Output":')) return null
  try {
    const { Package, ImportPath, Test, Output }: Partial<Record<string, unknown>> = JSON.parse(line)
    if (typeof Output !== 'string') return null
    return { Package: String(Package ?? ImportPath ?? ''), Test: typeof Test === 'string' ? Test : '', Output }
  } catch {
    return null
  }
}

export const goTests: readonly FailureReader[] = [goPlain, goEvents]
