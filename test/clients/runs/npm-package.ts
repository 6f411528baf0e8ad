import { expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { PACKAGE } from '../../../scripts/fetch-package.ts'
import type { Project } from '../../runs/night/projects.ts'
import { tellNight } from '../../runs/night/tell-night.ts'
import { TIME_LIMIT_MS } from '../client-test.ts'

setDefaultTimeout(TIME_LIMIT_MS)

const SHA512 = 'c0YL9VcSfcdH3F1Qij9qpYJFpKFKMXNOkLWFssBL3RuF7ZS8oZhllR2rWlCRjDTJsfq3R6wbSsaRU6o0rkEdNw=='
const SOURCE = 'lib/sax.js'

test('a real npm package from the registry, with its own tests: the same night', () => {
  const files = unpackedFiles()
  const right = files[SOURCE] ?? ''
  const ownTests = Object.keys(files).filter((path) => path.startsWith('test/'))
  expect(ownTests).toHaveLength(44)
  tellNight({
    name: PACKAGE,
    check: 'npm test',
    files,
    source: { path: SOURCE, right, wrong: right.replace('"onopencdata"', '"oncdata"') },
    work: WORK,
  })
})

/** The test is in the form that the package's own tests have. Its `npm test` finds new files by itself. */
const WORK: Project['work'] = `cat >"test/$title.js" <<END
require(__dirname).test({
  xml: "<r>$title</r>",
  expect: [
    ["opentag", { name: "R", attributes: {}, isSelfClosing: false }],
    ["text", "$title"],
    ["closetag", "R"]
  ]
})
END
printed=$(npm test) && grep -q "^ok .* - $title.js" <<<"$printed" || exit 1`

/** The tarball that `npm run test:agents` has fetched: tests do not see how npm is configured. */
function unpackedFiles(): Record<string, string> {
  const tarball = process.env.GZA_NPM_PACKAGE ?? ''
  if (!existsSync(tarball)) throw new Error(`${PACKAGE} was not fetched: npm run test:agents needs an npm registry`)
  expect(createHash('sha512').update(readFileSync(tarball)).digest('base64')).toBe(SHA512)
  const folder = mkdtempSync(join(tmpdir(), 'gza-package-'))
  try {
    expect(spawnSync('tar', ['-xzf', tarball], { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0 })
    return readFiles(join(folder, 'package'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readFiles(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]))
}
