import { areaOf, importsOf, type Source } from '../source.ts'
import { splitCode } from '../split-code.ts'

const STATEMENT =
  /\bSELECT\b[\s\S]+\bFROM\b|\bINSERT (?:OR \w+ )?INTO\b|\bUPDATE \w+ SET\b|\bDELETE FROM\b|\bCREATE (?:TEMP )?(?:TABLE|VIEW|INDEX)\b|\bPRAGMA \w/
const CONDITION =
  /\b[a-z]\.[a-z_]+ (?:=|<>|!=|<=?|>=?|IN|IS|LIKE|COLLATE)(?= )|\bORDER BY \w|\bCOLLATE NOCASE\b|\bIS (?:NOT )?NULL\b|\b[a-z_]+ (?:=|<>|<=?|>=?) \?/

/** Files with SQL that no code of ours runs. */
export const SHOWN_ONLY: Record<string, string> = {
  'src/cli/tree/look-closer.ts': 'the help of gza query shows statements as examples',
  'src/workspace/ledger/query-state.ts': 'the hint of gza query shows a statement as an example',
}

/** Statements and conditions in SQL outside of `state`, which has a named function for each question. */
export function strayStatements(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => areaOf(path) !== 'state' && !(path in SHOWN_ONLY))
    .flatMap(({ path, text }) =>
      splitCode(text)
        .filter((piece) => piece.kind === 'text' && (STATEMENT.test(piece.text) || CONDITION.test(piece.text)))
        .map(({ line }) => `${path}:${line}: only state contains SQL: add a named function to src/state/index/`),
    )
}

/** Modules whose functions take SQL, for the use of `state` alone. */
export const TAKES_SQL = [
  'src/state/describe-table.ts',
  'src/state/index/select-entries.ts',
  'src/state/index/status-sql.ts',
]

export function strayUsersOfSql(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => areaOf(path) !== 'state')
    .flatMap((source) =>
      importsOf(source)
        .filter(({ target }) => target !== null && TAKES_SQL.includes(target))
        .map(({ line, target }) => `${source.path}:${line}: only state imports ${target}`),
    )
}
