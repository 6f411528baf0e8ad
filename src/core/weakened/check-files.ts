/** Which files say what the checks of a project are, and how strict. */
import { basename } from 'node:path/posix'

/** A file that says how tests run. Whatever changes in it changes the checks. */
export function configuresTests(path: string): boolean {
  return TEST_SETTINGS.test(basename(path))
}

const TEST_SETTINGS =
  /^(?:jest\.(?:config|setup)\.\w+|jest\.json|vitest\.(?:config|workspace|setup)\.\w+|playwright\.config\.\w+|cypress\.(?:config\.\w+|json)|\.mocharc\.?\w*|karma\.conf\.\w+|\.?ava\.config\.\w+|\.nycrc(?:\.\w+)?|\.c8rc(?:\.\w+)?|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py|\.coveragerc|\.?codecov\.ya?ml|phpunit\.xml(?:\.dist)?|\.rspec|nextest\.toml|tarpaulin\.toml|stryker\.conf\.\w+)$/i

/** A file with the rules of a linter, a formatter or a compiler. */
export function configuresLint(path: string): boolean {
  return LINT_SETTINGS.test(basename(path))
}

const LINT_SETTINGS =
  /^(?:\.eslintrc(?:\.\w+)?|eslint\.config\.\w+|\.eslintignore|biome\.jsonc?|tslint\.json|\.oxlintrc\.json|tsconfig(?:\.[\w-]+)?\.json|\.stylelintrc(?:\.\w+)?|stylelint\.config\.\w+|\.?ruff\.toml|\.flake8|\.pylintrc|pylintrc|mypy\.ini|\.mypy\.ini|pyrightconfig\.json|\.bandit|\.golangci\.ya?ml|\.?clippy\.toml|\.rubocop(?:_todo)?\.yml|checkstyle\.xml|detekt\.ya?ml|\.swiftlint\.ya?ml|phpstan\.neon(?:\.dist)?|psalm\.xml|\.clang-tidy|knip\.jsonc?|\.prettierignore|\.gitleaksignore|sonar-project\.properties)$/i

/** A file that has other things too, and sections or lines about checks. */
export function mayHoldChecks(path: string): boolean {
  return MIXED.test(basename(path)) || CHECK_SCRIPT.test(path) || /^\.github\/|^\.gitlab|^\.ci\//.test(path)
}

/** `scripts/run-tests.sh`, `check`. */
const CHECK_SCRIPT =
  /(?:^|[/_.-])(?:tests?|checks?|lint|ci|verify|validate|coverage)(?:[_.-][\w.-]*)?(?:\.(?:sh|bash|zsh|ps1|mk))$/i

const MIXED =
  /^(?:package\.json|deno\.jsonc?|composer\.json|pyproject\.toml|setup\.cfg|Cargo\.toml|build\.gradle(?:\.kts)?|pom\.xml|Makefile|GNUmakefile|justfile|Taskfile\.ya?ml|Rakefile|CMakeLists\.txt|meson\.build|\.?pre-commit-config\.ya?ml|lefthook\.ya?ml|gza\.ya?ml)$/i

/** Recorded output that a test compares with. */
export function isSnapshot(path: string): boolean {
  return /\.(?:snap|ambr|approved\.\w+|golden|gold|snapshot)$|\.snap\.\w+$|(?:^|\/)(?:__snapshots__|__image_snapshots__|__file_snapshots__|snapshots|goldens?)\//i.test(
    path,
  )
}

/** Code that a program runs, as opposed to text, data and settings. */
export function isCode(path: string): boolean {
  return CODE.test(path)
}

const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi|go|rs|java|kt|kts|scala|groovy|cs|fs|vb|c|cc|cpp|cxx|h|hh|hpp|m|mm|swift|rb|php|pl|pm|ex|exs|erl|clj|cljs|hs|ml|lua|dart|r|jl|sh|bash|zsh|zig|nim|sql|bats)$/i

/**
 * The files of the tree that these command lines name and that look like checks: `sh test/check.sh`. `test -s out.txt`
 * and `node src/main.js` name what is checked.
 */
export function namedFiles(commands: readonly (string | null)[]): Set<string> {
  const words = commands.flatMap((command) => (command ?? '').split(/[\s;&|()<>"'`$={}]+/))
  const paths = words.filter((word) => /[./]/.test(word)).map((word) => word.replace(/^\.\//, ''))
  return new Set(paths.filter((path) => RUN_AS_CHECK.test(path)))
}

const RUN_AS_CHECK =
  /\.(?:sh|bash|zsh|ps1|mk|bat|cmd|json|ya?ml|toml|ini|cfg|xml)$|(?:^|\/)[^./]+$|(?:^|\/)(?:tests?|checks?|scripts|ci)\/.*\.\w+$|(?:^|[/_.-])(?:tests?|specs?|checks?|lint|ci|verify|validate)[^/]*\.\w+$/i
