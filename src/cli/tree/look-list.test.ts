import { expect, test } from 'bun:test'
import { FILTER_FLAGS } from '../../core/filter/flag-line.ts'
import { LIST_COMMANDS } from './look-list.ts'

test('a filter that is typed as one line has every flag of list that filters', () => {
  const [list] = LIST_COMMANDS
  const others = ['all', 'all-branches', 'limit', 'fields', 'branch', 'json', 'no-pager']
  const filters = Object.keys(list?.parameters().flags ?? {}).filter((name) => !others.includes(name))
  expect(filters.sort()).toEqual([...FILTER_FLAGS].sort())
})
