import { type FailureReader, readBlocks } from './failure-reader.ts'

/** `---- tests::adds stdout ----`, then where it panicked, and why. */
const cargo = readBlocks({
  start: /^---- (\S.*) stdout ----$/,
  skip: /^thread '.*' (?:\(\d+\) )?panicked at [^']\S*:$|^note: /,
  end: /^stack backtrace:|^failures:$/,
})

/** `CalculatorTest > adds() FAILED`. The end is looked at first: in a long line there are many ways to begin. */
const gradle = readBlocks({ start: /^(?!> )(?=.* FAILED$)(\S.* > .+) FAILED$/, end: /^\s+at |^$/ })

/** `[ERROR] com.example.CalculatorTest.adds -- Time elapsed: 0.01 s <<< FAILURE!` */
const surefire = readBlocks({
  start:
    /^(?=.*<<< (?:FAILURE|ERROR)!$)(?:\[ERROR\] +)?(?!Tests run:)([\w.$()[\], -]+?) +(?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!$/,
  end: /^\s+at |^$/,
})

/** `  1) Calculator adds` */
const rspec = readBlocks({
  after: /^Failures:$/,
  start: /^ {2,}\d+\) (.+)$/,
  skip: /^\s+(?:Failure\/Error: |\(compared using )/,
  end: /^\s+# /,
})

/** `  1) Failure:`, and on the next line `CalculatorTest#test_adds [test/calc_test.rb:8]:` */
const minitest = readBlocks({
  start: /^([A-Z][\w:]*#test_\w+)(?: \[.+\])?:$/,
  skip: /^---|^\+\+\+|^@@/,
  end: /^$|^\s+\S+\.rb:\d+:in /,
})

/** `  1) test adds (CalcTest)` */
const exUnit = readBlocks({
  start: /^\s+\d+\) ((?:test|property|doctest) .+ \([\w.]+\))$/,
  skip: /^\s+\S+\.exs?:\d+$|^\s+code:/,
  end: /^\s+stacktrace:$|^$/,
})

/** `  Failed CalculatorTests.Adds [12 ms]` */
const dotnet = readBlocks({
  start: /^\s+(?:Failed|X) (\S.*?) \[[^\]]+\]$/,
  from: /^\s+Error Message:$/,
  end: /^\s+Stack Trace:$|^$/,
})

/** `1) CalculatorTest::testAdds` */
const phpunit = readBlocks({ start: /^\d+\) (\S+::.+)$/, end: /^$|^\S+\.php:\d+$/ })

/** `	  2 - adds (Failed)` */
const ctest = readBlocks({ after: /^The following tests FAILED:$/, start: /^\s+\d+ - (\S.*) \((\w[\w ]*)\)/, end: /^/ })

export const otherTests: readonly FailureReader[] = [
  ...[cargo, gradle, surefire, rspec, minitest, exUnit, dotnet, phpunit, ctest],
]
