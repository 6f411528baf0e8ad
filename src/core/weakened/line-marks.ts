/** Marks on single lines that keep a tool from reporting, hide a failure, or react to being tested. */

/** A comment or attribute that tells a linter, compiler, coverage or security tool to look away. */
export function ignoresTool(text: string): boolean {
  return IGNORES.test(text)
}

const IGNORES = new RegExp(
  [
    ...['eslint-disable', 'tslint:disable', 'stylelint-disable', 'biome-ignore', 'oxlint-disable', 'prettier-ignore'],
    ...[
      '@ts-(?:ignore|expect-error|nocheck)',
      '#\\s*noqa\\b',
      '#\\s*type:\\s*ignore',
      '#\\s*py(?:lint|right):\\s*(?:disable|ignore)',
    ],
    ...['#\\s*ruff:\\s*noqa', '#\\s*mypy:\\s*ignore', '#\\s*nosec\\b', '#\\s*pragma:\\s*no\\s+(?:cover|branch)'],
    ...[
      '//\\s*nolint\\b',
      '#!?\\[allow\\(',
      '#!?\\[expect\\(',
      '@SuppressWarnings',
      '@Suppress\\(',
      'rubocop:(?:disable|todo)',
    ],
    ...[
      '(?:istanbul|c8|v8|node:coverage)\\s+(?:ignore|disable)',
      'NOLINT\\b',
      'phpcs:(?:ignore|disable)',
      '@phpstan-ignore',
      '@psalm-suppress',
    ],
    ...[
      'swiftlint:disable',
      'ktlint-disable',
      'detekt:ignore',
      'LCOV_EXCL',
      '#pragma warning disable',
      '@codeCoverageIgnore',
    ],
    ...['sonar-?ignore|NOSONAR', 'checkstyle:off', 'shellcheck disable', 'hadolint ignore', 'gitleaks:allow'],
  ].join('|'),
  'i',
)

/** In a script, a settings file or a command line: a failed check looks like a passed one. */
export function hidesFailure(text: string): boolean {
  return HIDES.test(text) && !/^\s*(?:#|\/\/)/.test(text)
}

const HIDES =
  /\|\|\s*(?:true|:|exit\s+0|echo\b)|;\s*(?:true|exit\s+0)\s*["']?,?\s*$|^\s*exit\s+0\s*$|\bset\s+\+e\b|--?passWithNoTests\b|continue-on-error:\s*true|allow_failure:\s*true|--no-verify\b|--exit-zero\b|--deselect\b|--ignore(?:-glob)?=|testPathIgnorePatterns|collect_ignore|-k\s+["']?not\b|--skip\b|-DskipTests|-Dmaven\.test\.skip|--no-tests=pass|xfail_strict\s*=\s*false|\bbail\s*[:=]\s*false/

/** Code that asks whether a check is running. */
export function detectsTest(text: string): boolean {
  return DETECTS.test(text)
}

const DETECTS =
  /\bprocess\.env(?:\.|\[["'])(?:CI|NODE_ENV|VITEST|JEST_WORKER_ID|GITHUB_ACTIONS|TEST|TESTING)\b|\bimport\.meta\.(?:vitest|env\.(?:MODE|TEST))\b|\bBun\.env\.(?:CI|NODE_ENV)\b|os\.(?:environ(?:\.get)?|getenv)\s*[[(]\s*["'](?:CI|PYTEST_CURRENT_TEST|TESTING|GITHUB_ACTIONS)\b|["']pytest["']\s+in\s+sys\.modules|\btesting\.Testing\(\)|os\.Getenv\("(?:CI|TESTING|GITHUB_ACTIONS)"\)|\bcfg!?\(test\)|env::var\("(?:CI|TESTING)"\)|System\.getenv\("CI"\)|ENV\[["'](?:CI|RAILS_ENV|RACK_ENV)["']\]|\bRails\.env\.test\?|\$\{?CI\b/

/** In package.json and the like: the line that says how the project is checked. */
export function saysHowToCheck(text: string): boolean {
  return /^\s*["']?(?:(?:pre|post)?(?:test|lint|check|typecheck|type-check|verify|validate|coverage|ci)(?:[:_-][\w:-]+)?)["']?\s*[:=]\s*\S/i.test(
    text,
  )
}

/** In a settings file with sections, the ones about checks. */
export function isCheckSetting(text: string): boolean {
  return /\b(?:addopts|testpaths|python_files|filterwarnings|norecursedirs|fail_under|omit\s*=|per-file-ignores|extend-ignore|ignore_errors|ignore_missing_imports|disallow_\w+|coverageThreshold|testMatch|testRegex|testPathIgnorePatterns|collectCoverageFrom|coveragePathIgnorePatterns)\b/.test(
    text,
  )
}
