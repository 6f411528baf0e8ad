/** Small real projects, each with a passing test of its own, that need no network. */
export interface Project {
  name: string
  files: Record<string, string>
  /** The command that `gza init` finds for its checks. */
  check: string
  /** A file that its tests need as it is, and a text with which they fail. */
  source: { path: string; right: string; wrong: string }
  /** Shell for an agent: adds a function called `$title` with a test that proves it. */
  work: string
}

export const NPM: Project = {
  name: 'npm',
  check: 'npm test',
  source: { path: 'src/one.js', right: 'export const one = () => 1\n', wrong: 'export const one = () => 2\n' },
  files: {
    'package.json': `${JSON.stringify({ name: 'shop', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } })}\n`,
    'package-lock.json': `${JSON.stringify({
      ...{ name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true },
      packages: { '': { name: 'shop', version: '1.0.0' } },
    })}\n`,
    'src/one.js': 'export const one = () => 1\n',
    'test/one.test.js':
      "import assert from 'node:assert'\nimport test from 'node:test'\nimport { one } from '../src/one.js'\ntest('one', () => assert.equal(one(), 1))\n",
    '.gitignore': 'node_modules/\n',
  },
  work: `printf 'export const %s = () => "%s"\\n' "$title" "$title" >"src/$title.js"
printf 'import assert from "node:assert"\\nimport test from "node:test"\\nimport { %s } from "../src/%s.js"\\ntest("%s", () => assert.equal(%s(), "%s"))\\n' "$title" "$title" "$title" "$title" "$title" >"test/$title.test.js"
npm test >/dev/null || exit 1`,
}

export const PYTHON: Project = {
  name: 'pytest',
  check: 'python3 -m pytest',
  source: { path: 'one.py', right: 'def one():\n    return 1\n', wrong: 'def one():\n    return 2\n' },
  files: {
    'pytest.ini': '[pytest]\npythonpath = .\n',
    'one.py': 'def one():\n    return 1\n',
    'test_one.py': 'from one import one\n\n\ndef test_one():\n    assert one() == 1\n',
    '.gitignore': '__pycache__/\n.pytest_cache/\n',
  },
  work: `printf 'def %s():\\n    return "%s"\\n' "$title" "$title" >"$title.py"
printf 'from %s import %s\\n\\n\\ndef test_%s():\\n    assert %s() == "%s"\\n' "$title" "$title" "$title" "$title" "$title" >"test_$title.py"
python3 -m pytest -q >/dev/null || exit 1`,
}

/** For machines without pytest. */
export const UNITTEST: Project = {
  name: 'unittest behind make',
  check: 'make test',
  source: { path: 'one.py', right: 'def one():\n    return 1\n', wrong: 'def one():\n    return 2\n' },
  files: {
    Makefile: 'test:\n\tpython3 -m unittest -q\n',
    'one.py': PYTHON.files['one.py'] ?? '',
    'test_one.py':
      'import unittest\n\nfrom one import one\n\n\nclass One(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(one(), 1)\n',
    '.gitignore': '__pycache__/\n',
  },
  work: `printf 'def %s():\\n    return "%s"\\n' "$title" "$title" >"$title.py"
printf 'import unittest\\n\\nfrom %s import %s\\n\\n\\nclass T(unittest.TestCase):\\n    def test_it(self):\\n        self.assertEqual(%s(), "%s")\\n' "$title" "$title" "$title" "$title" >"test_$title.py"
make -s test >/dev/null || exit 1`,
}

export const GO: Project = {
  name: 'go',
  check: 'go test ./...',
  source: {
    path: 'one.go',
    right: 'package shop\n\nfunc One() int { return 1 }\n',
    wrong: 'package shop\n\nfunc One() int { return 2 }\n',
  },
  files: {
    'go.mod': 'module shop\n\ngo 1.21\n',
    'one.go': 'package shop\n\nfunc One() int { return 1 }\n',
    'one_test.go':
      'package shop\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {\n\tif One() != 1 {\n\t\tt.Fatal("not one")\n\t}\n}\n',
  },
  work: `printf 'package shop\\n\\nfunc F%s() string { return "%s" }\\n' "$title" "$title" >"$title.go"
printf 'package shop\\n\\nimport "testing"\\n\\nfunc Test%s(t *testing.T) {\\n\\tif F%s() != "%s" {\\n\\t\\tt.Fatal("wrong")\\n\\t}\\n}\\n' "$title" "$title" "$title" >"\${title}_test.go"
go test ./... >/dev/null || exit 1`,
}
