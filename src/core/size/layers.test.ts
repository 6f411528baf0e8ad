import { expect, test } from 'bun:test'
import { type Layer, layerOf, testedStem } from './layers.ts'

test('the layer of a file follows from the nearest folder, then its name, then its extension', () => {
  const cases: Record<string, Layer | null> = {
    'src/models/user.ts': 'data',
    'app/services/models/user.rb': 'data',
    'db/migrate/001.sql': 'data',
    'src/user.service.ts': 'business',
    'com/shop/OrderRepository.java': 'data',
    'internal/use_cases/pay.go': 'business',
    'src/App.tsx': 'presentation',
    'web/index.html': 'presentation',
    'src/models/user.test.ts': 'test',
    'tests/helpers.py': 'test',
    'pkg/cart_test.go': 'test',
    'src/index.ts': null,
    README: null,
  }
  expect(Object.fromEntries(Object.keys(cases).map((path) => [path, layerOf(path)]))).toEqual(cases)
})

test('the name of a test file determines what it tests', () => {
  const paths = [
    'a/user.test.ts',
    'a/user.spec.js',
    'test_user.py',
    'user_test.go',
    'UserTest.java',
    'user.ts',
    'latest.ts',
  ]
  expect(paths.map(testedStem)).toEqual(['user', 'user', 'user', 'user', 'user', null, null])
})
