/** How tests, skips and assertions are written in the languages that agents work in most. */

/** A line that declares a test. */
export function declaresTest(text: string): boolean {
  return DECLARATIONS.some((pattern) => pattern.test(text))
}

const DECLARATIONS = [
  /^\s*(?:it|test|specify|scenario|Scenario|xit|xtest|fit)(?:\.(?:only|skip|todo|each|for|concurrent|serial|sequential|if|skipIf|runIf|failing|fails|fixme)(?:\([^)]*\))?)*\s*[(`]/,
  /^\s*(?:async\s+)?def\s+test\w*\s*\(/,
  /^\s*func\s+(?:Test|Benchmark|Fuzz)\w*\s*\(/,
  /^\s*#\[(?:[\w:]+::)?test(?:\b|\()/,
  /^\s*@(?:Test|ParameterizedTest|RepeatedTest)\b/,
  /^\s*\[(?:Fact|Theory|Test|TestMethod|TestCase)\b/,
  /^\s*(?:public\s+)?function\s+test\w*\s*\(/,
  /^\s*(?:it|specify|test)\s+["'].*\bdo\b/,
  /^\s*TEST(?:_F|_P)?\s*\(/,
  /^\s*@test\s+["'].*["']\s*\{/,
  /^\s*func\s+test\w*\s*\(/,
]

/** The name of the test on this line, so that a test that moved is not taken for a removed one. */
export function testName(text: string): string {
  const quoted = /["'`]([^"'`]+)["'`]/.exec(text)?.[1]
  return quoted ?? /\b(?:def|func|function|fn)\s+(\w+)/.exec(text)?.[1] ?? text.trim()
}

/** A mark by which a test is not run. */
export function skipsTest(text: string): boolean {
  return SKIPS.some((pattern) => pattern.test(text))
}

const SKIPS = [
  /\b(?:it|test|describe|suite|context)(?:\.\w+)*\.(?:skip|todo|fixme|failing|skipIf|runIf|if)\b/,
  /^\s*(?:xit|xtest|xdescribe|xcontext|xspecify|pending|pit)\s*[(`"']/,
  /@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip|skipIf|skipUnless|expectedFailure)|skip)\b/,
  /\b(?:pytest\.(?:skip|xfail|importorskip)|self\.skipTest|pytestmark\s*=\s*pytest\.mark\.(?:skip|xfail))\b/,
  /\b(?:t|b|tb)\.(?:Skip|Skipf|SkipNow)\(/,
  /#\[ignore\b|#\[cfg\(any\(\)\)\]/,
  /@(?:Disabled|Ignore|DisabledIf\w*|DisabledOn\w*)\b|\bassume(?:True|False|That)\(/,
  /\[(?:Ignore|Skip)\b|\bSkip\s*=\s*"/,
  /\b(?:markTestSkipped|markTestIncomplete|GTEST_SKIP|DISABLED_\w+|XCTSkip)\b/,
  /^\s*skip\b(?:\s+["']|\s*$)|,\s*skip:\s*(?:true|["'])/,
  /\bthis\.skip\(\)|\bt\.skip\(|\bctx\.skip\(/,
  /\bskip\s*:\s*true\b|\btodo\s*:\s*true\b/,
]

/** A mark by which all other tests are not run. */
export function runsOnly(text: string): boolean {
  return /\b(?:it|test|describe|suite|context)(?:\.\w+)*\.only\b|^\s*(?:fit|fdescribe|ftest|fcontext)\s*[(`"']|\bonly\s*:\s*true\b/.test(
    text,
  )
}

/** A line on which something is compared or required. */
export function asserts(text: string): boolean {
  return ASSERTIONS.test(text) && !/^\s*(?:import|from|use|using|require|const\s+\{[^}]*\}\s*=\s*require)\b/.test(text)
}

const ASSERTIONS =
  /\bexpect\w*\s*[.(<]|\bassert\w*\b\s*[!.(]|^\s*assert\s|\bASSERT_\w+|\bEXPECT_\w+|\bself\.(?:assert|fail)\w*\(|\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|is|deepEqual|equal|ok|throws|truthy|like)\(|\brequire\.\w+\(t\b|\.should\b|\bshould\.|\bpytest\.(?:raises|warns|fail|approx)|\bAssert\.\w+|\bXCTAssert\w*|\bverify\w*\(|\bcheck\w*\(|\bmust\w*\(|\bmatchSnapshot|\bthrow\s|\braise\s|\bpanic!|\b\w*(?:Should|Must|Expect|Assert)\w*\(/

/** An assertion that almost anything passes. */
export function assertsLittle(text: string): boolean {
  return LITTLE.test(text) || IDENTICAL.test(text)
}

const LITTLE =
  /\.(?:toBeDefined|toBeTruthy|toBeFalsy|toBeInstanceOf|not\.toThrow|not\.toBeNull|not\.toBeUndefined)\(|\bassert\s+(?:True|1)\b|\bassert(?:True|_true|IsNotNone|_is_not_none|NotNull|NotNil|_not_nil|DoesNotThrow)\s*\(|^\s*assert\s+(?!.*(?:[=!<>]=|[<>]|\bin\b|\bis\s+(?!not\s+None)|\bnot\b(?!\s+None)|\b(?:isinstance|all|any)\())|\bassert!\s*\(\s*(?:true|\w[\w.]*(?:\(\))?\.is_(?:ok|some)\(\))|\bassert\.(?:ok|NotNil|NotEmpty|isDefined|isOk|exists)\(|\bassert\(true\)/

/** `expect(1).toBe(1)`, `assertEqual(x, x)`. */
const IDENTICAL =
  /\bexpect\(\s*([^()]+?)\s*\)\.to(?:Be|Equal|StrictEqual)\(\s*\1\s*\)|\bassert\w*!?\(\s*([^(),]+?)\s*,\s*\2\s*[,)]|\bassert\s+(\S+)\s*==\s*\3\s*$/
