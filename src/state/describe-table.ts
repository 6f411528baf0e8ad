/**
 * A table is described once: its columns, in their order, with their types. Row types and statements are derived from
 * the description, so that a new column is added in one place.
 */
import type { Database } from 'bun:sqlite'

/** `T` is the column's type in TypeScript, `sql` its declaration in SQLite. */
export interface Column<T> {
  readonly sql: string
  readonly holds?: T
}

/** SQLite gives the number to a new row. */
interface RowNumber extends Column<number> {
  readonly isGiven: true
}

type Columns = Record<string, Column<unknown>>

export interface Table<C extends Columns = Columns> {
  readonly name: string
  /** Made when it is first asked for: commands that only read need no more than names. */
  columns(): C
  names(): readonly string[]
}

type ColumnsOf<T extends Table> = ReturnType<T['columns']>

export type RowOf<T extends Table> = { -readonly [K in keyof ColumnsOf<T>]: Held<ColumnsOf<T>[K]> }

/** A row that may not have its number yet. */
type NewRowOf<T extends Table> = {
  readonly [K in keyof ColumnsOf<T>]: ColumnsOf<T>[K] extends RowNumber ? number | null : Held<ColumnsOf<T>[K]>
}

type Held<C> = C extends Column<infer V> ? V : never

export const rowNumber: RowNumber = { sql: 'INTEGER PRIMARY KEY', isGiven: true }
export const text: Column<string> = { sql: 'TEXT NOT NULL' }
export const optionalText: Column<string | null> = { sql: 'TEXT' }
export const integer: Column<number> = { sql: 'INTEGER NOT NULL' }
export const optionalInteger: Column<number | null> = { sql: 'INTEGER' }
export const real: Column<number> = { sql: 'REAL NOT NULL' }
export const optionalReal: Column<number | null> = { sql: 'REAL' }

/** A text that is one of a few words. */
export function word<T extends string>(): Column<T> {
  return { sql: text.sql }
}

export function table<C extends Columns>(name: string, describe: () => C): Table<C> {
  let made: C | undefined
  const columns = (): C => {
    made ??= describe()
    return made
  }
  return { name, columns, names: () => Object.keys(columns()) }
}

/**
 * A row with only some columns, named as in SQL: `uid, place`. Not a list of names: a list of so many takes a heap block
 * of 16 KB of its own in each call that reads.
 */
export type RowWith<T extends Table, Names extends string> =
  NameIn<Names> extends keyof RowOf<T> ? Pick<RowOf<T>, NameIn<Names>> : never

type NameIn<Names extends string> = Names extends `${infer First}, ${infer Rest}` ? First | NameIn<Rest> : Names

/** `uid TEXT NOT NULL, place INTEGER NOT NULL`: the inside of CREATE TABLE. */
export function definitions({ columns }: Table): string {
  return Object.entries(columns())
    .map(([name, { sql }]) => `${name} ${sql}`)
    .join(', ')
}

/** `e.uid, e.place` for the names `uid, place` and the alias e. */
export function withAlias(names: string, alias: string): string {
  return `${alias}.${names.replaceAll(', ', `, ${alias}.`)}`
}

export function insertInto(table: Table, verb: 'INSERT' | 'INSERT OR REPLACE' | 'INSERT OR IGNORE' = 'INSERT'): string {
  const places = `?${', ?'.repeat(table.names().length - 1)}`
  return `${verb} INTO ${table.name} (${table.names().join(', ')}) VALUES (${places})`
}

export type Value = string | number | null

/** The values of a row in the order of the columns. */
export function valuesOf<T extends Table>({ columns }: T, row: NewRowOf<T>): Value[] {
  const values: Value[] = []
  for (const name in columns()) values.push(row[name as keyof NewRowOf<T>] as Value)
  return values
}

/** Adds the row, or replaces the one with the same key. */
export function putRow<T extends Table>(db: Database, table: T, row: RowOf<T>): void {
  db.query(insertInto(table, 'INSERT OR REPLACE')).run(...valuesOf(table, row as NewRowOf<T>))
}
