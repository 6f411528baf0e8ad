import { expect, test } from 'bun:test'
import { GZA } from '../../../../test/cli/displays.ts'
import { widthOf } from '../../terminal/fit-to.ts'
import { type RunRow, renderRunRows } from './run-rows.ts'

const row: RunRow = {
  number: 3,
  phase: 'implement',
  seconds: 65,
  tokens: 0,
  usd: 0,
  title: '',
  action: 'Bash: npm test',
}

test('runs stand in columns, and what none of them has takes no room', () => {
  const rows = [row, { ...row, number: 12, phase: 'verify', seconds: 5, action: '' }]
  expect([...renderRunRows(rows, GZA)]).toEqual([
    '#3   implementing  1m05s  Bash: npm test',
    '#12  verifying        5s',
  ])
  const spent = { ...row, agent: 'claude', tokens: 12_345, usd: 0.12 }
  expect([...renderRunRows([spent, { ...row, agent: 'codex' }], GZA)]).toEqual([
    '#3  claude  implementing  1m05s  12.3k tokens  $0.12  Bash: npm test',
    '#3  codex   implementing  1m05s                       Bash: npm test',
  ])
})

test('a line is never wider than the terminal, wide characters and narrow terminals included', () => {
  const wide = { ...row, title: '漢字'.repeat(20), action: '漢字'.repeat(40) }
  for (let width = 1; width <= 100; width++) {
    const [line = ''] = renderRunRows([wide], { ...GZA, width })
    expect(widthOf(line)).toBeLessThanOrEqual(width)
  }
})

test('the title of a task is before what its agent does, and each gets half of the room', () => {
  const rows = [
    { ...row, title: 'Write the parser', action: 'Bash: npm test' },
    { ...row, title: 'Fix', action: 'Read: a.ts' },
    { ...row, title: 'Wait for the others to finish', action: '' },
  ]
  expect([...renderRunRows(rows, GZA)]).toEqual([
    '#3  implementing  1m05s  Write the parser  Bash: npm test',
    '#3  implementing  1m05s  Fix               Read: a.ts',
    '#3  implementing  1m05s  Wait for the others to finish',
  ])
  expect([...renderRunRows(rows, { ...GZA, width: 50 })]).toEqual([
    '#3  implementing  1m05s  Write the p…  Bash: npm …',
    '#3  implementing  1m05s  Fix           Read: a.ts',
    '#3  implementing  1m05s  Wait for the others to f…',
  ])
})

test('an action is one line, without colours and without anything that a terminal would obey', () => {
  const [line] = renderRunRows([{ ...row, action: '\u001b[31mred\u001b[0m\n  and\tmore\u0007' }], GZA)
  expect(line).toBe('#3  implementing  1m05s  red and more\\x07')
})
