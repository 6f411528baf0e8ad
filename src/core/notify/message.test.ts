import { expect, test } from 'bun:test'
import { isUrgent, messageOf } from './message.ts'
import type { Notice, NoticeEvent } from './notice.ts'
import { formOf, postOf } from './post-form.ts'

const notice = (event: NoticeEvent, text: string, number?: number): Notice => ({
  ...{ event, text, at: '2026-11-17T00:00:00Z' },
  task: number === undefined ? null : { number, id: `task-${number}`, title: `Task ${number}` },
})

test('a message names what needs a person first, and a failed task once', () => {
  const message = messageOf('shop', [
    notice('finished', '2 completed'),
    notice('landed', 'landed on main', 1),
    notice('failed', 'verify-failed: red', 2),
    notice('needs-you', 'VERIFY_FAILED red', 2),
    notice('needs-you', 'main: BASE_RED'),
  ])
  expect(message.title).toBe('shop: 2 need you, 1 failed, 1 landed, finished')
  expect(message.text.split('\n')).toEqual([
    'main: BASE_RED',
    '#2 Task 2: verify-failed: red',
    '#1 Task 1: landed on main',
    '2 completed',
  ])
  expect(isUrgent(message)).toBe(true)
  expect(isUrgent(messageOf('shop', [notice('landed', 'landed', 1)]))).toBe(false)
})

test('a long message is cut, and hostile titles are escaped', () => {
  const many = Array.from({ length: 20 }, (_, index) => notice('landed', 'landed on main', index + 1))
  const lines = messageOf('shop', many).text.split('\n')
  expect([lines.length, lines.at(-1)]).toEqual([13, 'and 8 more'])
  expect(messageOf('shop', [notice('failed', 'a\u001b[31m\nb')]).text).toBe('a\\x1b[31m\\nb')
})

test('each service gets the form that it reads', () => {
  const message = messageOf('läden', [notice('failed', 'a <!channel> & b')])
  expect(postOf(message, 'slack').body).toBe('{"text":"läden: 1 failed\\na &lt;!channel&gt; &amp; b"}')
  expect(postOf(message, 'ntfy')).toEqual({
    headers: { Title: `=?UTF-8?B?${btoa('l\u00c3\u00a4den: 1 failed')}?=`, Priority: 'high' },
    body: 'a <!channel> & b',
  })
  expect(JSON.parse(postOf(message, 'json').body)).toEqual(message)
  const hosts = ['https://hooks.slack.com/services/x', 'https://ntfy.sh/x', 'https://ntfy.example.org/x', 'http://a.b/']
  expect(hosts.map(formOf)).toEqual(['slack', 'ntfy', 'ntfy', 'json'])
})
