import { type FailureReader, readBlocks } from './failure-reader.ts'

/**
 * `FAILED test_a.py::test_adds - assert 3 == 4` at the end. Its message is cut to the width of a terminal, and an error
 * while collecting has none, so the reasons above it (`E   assert 3 == 4`) are kept.
 */
const pytest: FailureReader = (found) => {
  const reasons = new Map<string, string>()
  let section = ''
  return (line) => {
    section = /^_{3,} (?:ERROR (?:collecting|at setup of|at teardown of) )?(.+?) _{3,}$/.exec(line)?.[1] ?? section
    const [, reason] = /^E {3}(\S.*)$/.exec(line) ?? []
    if (reason !== undefined && section !== '' && !reasons.has(section)) reasons.set(section, reason)
    const [, id = '', message = ''] = /^(?:FAILED|ERROR) (\S+?\.py\S*(?:\[.*?\])?)(?: - (.+))?$/.exec(line) ?? []
    if (id === '') return
    const [file = '', ...names] = id.split('::')
    const known = reasons.get(names.length === 0 ? file : names.join('.'))
    found.add(id, message === '' || message.endsWith('...') ? (known ?? message) : message)
  }
}

/** `FAIL: test_adds (test_a.MathTest.test_adds)`; the reason is the first line of the traceback without indentation. */
const unittest = readBlocks({
  start: /^(?:FAIL|ERROR): (\w+ \([\w.]+\).*)$/,
  from: /^Traceback \(most recent call last\):$/,
  skip: /^\s/,
  end: /^$|^[=-]{10,}$/,
})

export const pythonTests: readonly FailureReader[] = [pytest, unittest]
