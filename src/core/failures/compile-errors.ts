/** What keeps tests from running: compilers, linters, and commands that do not exist. */
import { type FailureReader, readBlocks } from './failure-reader.ts'

/** Tools with one line for each error. Group 1 is the place, group 2 the message. */
const LINES: readonly RegExp[] = [
  // tsc: `a.ts(1,7): error TS2322: Type …`, csc: `a.cs(5,13): error CS0103: … [a.csproj]`
  /^\s*(\S+\(\d+,\d+\)): (?:error|fatal error) (.+?)(?: \[\S+proj\])?$/,
  // tsc --pretty
  /^(\S+:\d+:\d+) - error (TS\d+: .+)$/,
  // gcc, clang, swiftc, javac, mypy
  /^(?:\[ERROR\] )?(\S+\.\w+:\d+(?::\d+)?): (?:fatal )?error: (.+)$/,
  // Maven's javac
  /^\[ERROR\] (\S+\.\w+:\[\d+,\d+\]) (.+)$/,
  // kotlinc
  /^e: (?:file:\/\/)?(\S+\.kts?:\d+:\d+) (.+)$/,
  // go build, go vet
  /^(?:vet: )?((?:\.{1,2}\/)?[\w./-]+\.go:\d+:\d+): (.+)$/,
  // ruff, flake8
  /^(\S+\.py:\d+:\d+): ([A-Z]+\d+ .+)$/,
  // php -l
  /^(?:PHP )?(Parse|Fatal) error: {1,2}(.+)$/,
  // Elixir
  /^\*\* \((\w+Error)\) (.+)$/,
]

const oneLine: FailureReader = (found) => (line) => {
  for (const form of LINES) {
    const [, place, message] = form.exec(line) ?? []
    if (place !== undefined) found.add(place, message)
  }
}

/** `error[E0425]: cannot find value`, and on the next line ` --> src/lib.rs:1:20` */
const rustc: FailureReader = (found) => {
  let message: string | null = null
  return (line) => {
    const [, place] = /^\s*--> (\S+)$/.exec(line) ?? []
    if (place !== undefined && message !== null) found.add(place, message)
    message = /^error(?:\[\w+\])?: (.+)$/.exec(line)?.[1] ?? null
  }
}

/** The file on a line of its own, then `  3:5  error  'x' is not defined  no-undef` */
const eslint: FailureReader = (found) => {
  let file = ''
  return (line) => {
    if (/^\S.*\.\w+$/.test(line)) file = line
    const [, place, message = ''] = /^\s+(\d+:\d+)\s+error\s+(.+)$/.exec(line) ?? []
    if (place !== undefined && file !== '') found.add(`${file}:${place}`, message.replace(/\s{2,}/g, ', '))
  }
}

/** `a.ts:2:38 lint/suspicious/noDoubleEquals  FIXABLE  ━━━━`, then `  × Using == may be unsafe.` */
const biome = readBlocks({
  start: /^(\S+\.\w+(?::\d+:\d+)? (?:lint|parse|format|assist|organizeImports|suppressions|syntax)\S*)\s.*━$/,
  skip: /^\s*$/,
  end: /^\s+(?:\d+|>|i )/,
})

export const compileErrors: readonly FailureReader[] = [oneLine, rustc, eslint, biome]

/** A command or a script that does not exist, and other reasons why nothing was run at all. */
const NOT_RUN: readonly RegExp[] = [
  /^(?:\S*sh: )?(?:(?:line )?\d+: )?(\S+: (?:command )?not found)$/,
  /^make(?:\[\d+\])?: \*\*\* (No rule to make target .+?)\.? +Stop\.$/,
  /^npm (?:error|ERR!) (Missing script: .+)$/,
  /^error: (Script not found ".+")$/,
]

export const notRun: FailureReader = (found) => (line) => {
  for (const form of NOT_RUN) {
    const [, what] = form.exec(line) ?? []
    if (what !== undefined) found.add(what)
  }
}
