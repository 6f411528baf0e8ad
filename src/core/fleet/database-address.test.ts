import { expect, test } from 'bun:test'
import { assertDatabaseAddress } from './database-address.ts'

const code = (address: string): string => {
  try {
    return assertDatabaseAddress(address)
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('a database of another machine needs a checked certificate', () => {
  expect(code('postgres://a:b@db.example/q')).toBe('INSECURE_DATABASE')
  expect(code('postgres://a:b@db.example/q?sslmode=require')).toBe('INSECURE_DATABASE')
  expect(code('postgres://a:b@db.example/q?host=10.0.0.1')).toBe('INSECURE_DATABASE')
  expect(code('postgres://a:b@localhost.example/q')).toBe('INSECURE_DATABASE')
  expect(code('postgres://a:b@db.example/q?sslmode=verify-full')).toStartWith('postgres://a:b@db.example/q')
})

test('one of this machine does not', () => {
  for (const host of ['127.0.0.1:5433', 'localhost', '[::1]:5432'])
    expect(code(`postgres://a:b@${host}/q\n`)).toStartWith('postgres://')
  expect(code('postgres:///q?host=/run/postgresql')).toStartWith('postgres://')
})

test('anything else is not an address', () => {
  for (const text of ['', 'db.example', 'mysql://a@b/c']) expect(code(text)).toBe('BAD_DATABASE_URL')
})
