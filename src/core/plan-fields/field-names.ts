import { readDependencyText } from '../plan/dependency-text.ts'

export type FieldName =
  | 'create'
  | 'modify'
  | 'tests'
  | 'files'
  | 'waits'
  | 'priority'
  | 'complexity'
  | 'criteria'
  | 'story'
  | 'milestone'
  | 'status'
  | 'type'
  | 'key'
  | 'attempts'
  | 'linear'
  | 'locks'
  | 'description'

/** `isWeak`: a word that also begins ordinary sentences; it is a field only if its value looks like one. */
export interface FieldLabel {
  name: FieldName
  isWeak: boolean
  value: string
}

/** The field that a line begins, as in `Depends on: T1`, `**Files to create**:` or `_Priority_: high`. */
export function readFieldLabel(text: string): FieldLabel | null {
  const found = LABEL.exec(text)
  if (!found) return readPlainDependency(text)
  const label = plainLabel(found[1] ?? '')
  const known = NAMES.get(label)
  return known ? { ...known, value: (found[2] ?? '').replace(/^(?:\*{1,2}|_{1,2})\s*/, '').trim() } : null
}

/** `Depends on T1 and T2`, without a colon: only if it names tasks and nothing else. */
function readPlainDependency(text: string): FieldLabel | null {
  const [, verb = '', value = ''] = STATED_DEPENDENCY.exec(text) ?? []
  if (value === '' || (!/^(?:depend|block)/i.test(verb) && !/[a-z#]\S*\d|task|step/i.test(value))) return null
  const waits = readDependencyText(value)
  const isNames = waits.length > 0 && waits.every(({ kind }) => kind !== 'words')
  return isNames ? { name: 'waits', isWeak: true, value } : null
}

const STATED_DEPENDENCY =
  /^(?:\*{1,2}|_{1,2})?(depends on|dependent on|blocked by|requires|needs|after|waits for)(?:\*{1,2}|_{1,2})?\s+(\S.*)$/i

/** The field that a heading below a task names, with or without a colon. */
export function readFieldHeading(text: string): FieldLabel | null {
  const known = NAMES.get(plainLabel(text))
  return known ? { ...known, value: '' } : readFieldLabel(text)
}

const LABEL = /^((?:\*{1,2}|_{1,2}|`)?[\p{L}\p{Extended_Pictographic}][^:|<>{}"\n]{0,40}?):(?:\s+|(?=[*_`])|$)(.*)$/u

function plainLabel(label: string): string {
  return label
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[^a-z/ -]/g, ' ')
    .replace(/[\s_]+/g, ' ')
    .trim()
}

function all(name: FieldName, labels: string, isWeak = false): [string, { name: FieldName; isWeak: boolean }][] {
  return labels.split('|').map((label) => [label, { name, isWeak }])
}

const NAMES = new Map([
  ...all('create', 'files to create|file to create|new files|new file|files created|create files|files to add|creates'),
  ...all('create', 'create|add|new', true),
  ...all('modify', 'files to modify|file to modify|modified files|files modified|files to change|files to edit'),
  ...all('modify', 'files to update|modify files|existing files|modifies|files to be modified|files changed'),
  ...all('modify', 'modify|update|edit|change|touch|touches|changes', true),
  ...all('tests', 'test files|test file|files to test|tests to write|tests to add|tests to implement'),
  ...all('tests', 'tests|test|testing', true),
  ...all(
    'files',
    'files|file|files involved|affected files|files affected|files touched|key files|relevant files',
    true,
  ),
  ...all(
    'files',
    'files to create/modify|files to create / modify|files to create or modify|file paths|file path',
    true,
  ),
  ...all('waits', 'depends on|dependencies|dependency|blocked by|depends|deps|task dependencies|depends upon'),
  ...all('waits', 'prerequisites|prerequisite|pre-requisites|requires|after|needs|blockers|blocker|waits for', true),
  ...all('priority', 'priority|prio'),
  ...all('complexity', 'complexity|estimated complexity|size|estimated size'),
  ...all(
    'criteria',
    'acceptance criteria|acceptance criterion|acceptance|success criteria|done when|definition of done',
  ),
  ...all('criteria', 'acs|ac|criteria|exit criteria|acceptance tests|done criteria|accepted when'),
  ...all('story', 'user story|story'),
  ...all('milestone', 'milestone|milestone id'),
  ...all('status', 'status|state'),
  ...all('type', 'type|task type', true),
  ...all('key', 'id|task id|key'),
  ...all('attempts', 'max attempts|maximum attempts'),
  ...all('linear', 'linear|linear issue|linear id'),
  ...all('locks', 'locks|lock', true),
  ...all('description', 'description'),
])
