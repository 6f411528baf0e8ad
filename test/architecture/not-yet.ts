import type { RULES } from './rules/all-rules.ts'

/** What does not keep to a rule yet, as beginnings of the rule's findings. The list only becomes shorter. */
export const NOT_YET: { [rule in keyof typeof RULES]?: readonly string[] } = {
  'files do not import each other in a circle': [
    ...['engine', 'landing', 'reports', 'scheduler'].map((area) => `these files import each other: src/${area}/`),
  ],
  'no name contains a word of "Never in code"': [
    ...['src/cli/', 'src/core/', 'src/engine/', 'src/exchange/', 'src/landing/', 'src/ledger/', 'src/planning/'],
    ...['src/platform/', 'src/runs/', 'src/scheduler/', 'src/state/', 'src/tasks/', 'src/workspace/'],
  ],
  'a file under 25 lines has two importers': ['src/cli/', 'src/engine/', 'src/scheduler/'],
  'no interface has more than 8 functions': ['src/engine/'],
}
