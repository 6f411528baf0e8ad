import { definitions, integer, type RowOf, rowNumber, table, text } from '../describe-table.ts'

/** The ledgers whose texts are here. */
export const LEDGERS = table('ledgers', () => ({
  lid: rowNumber,
  ledger: { ...text, sql: 'TEXT NOT NULL UNIQUE' },
  /** The commit that the documents are being brought to. */
  tip: text,
  /** 1: all of them are there. */
  is_whole: integer,
}))

/** The documents: one for each task that is not deleted. Later ones belong to tasks that were filed later. */
const DOCUMENTS = table('documents', () => ({
  /** The ledger's lid times 2^32, and a number: so those of a ledger are a range. */
  doc: rowNumber,
  lid: integer,
  uid: text,
  /** Changes with every change of the task's line and of its artifacts. */
  version: text,
  /** 1: archived by a person. */
  archived: integer,
}))
export type DocumentRow = RowOf<typeof DOCUMENTS>

/**
 * The columns of the texts. The largest is the first, because in an index of words the first column takes no space of
 * its own.
 */
export const COLUMNS = ['artifact', 'title', 'content', 'note', 'criteria', 'file'] as const

/**
 * Letters are compared without case and without accents. Trigrams would find parts of words, but take three times the
 * space and find nothing that is shorter than three letters, as most Chinese words are.
 */
const TOKENS = 'tokenize = "unicode61 remove_diacritics 2"'

/**
 * The texts themselves are not kept: they are in the ledger, and took 40 % of the store. Pieces of the index of words are
 * written as they come, and are merged when there are many: with the usual settings each word was written four times.
 */
export const SCHEMA = `
CREATE TABLE ledgers (${definitions(LEDGERS)});
CREATE TABLE documents (${definitions(DOCUMENTS)});
CREATE UNIQUE INDEX documents_uid ON documents(lid, uid);
CREATE VIRTUAL TABLE texts USING fts5(${COLUMNS.join(', ')}, content = '', contentless_delete = 1, ${TOKENS});
INSERT INTO texts (texts, rank) VALUES ('hashsize', 33554432), ('automerge', 32), ('crisismerge', 64);
`

/** A few documents with their texts, in which the places are found. */
export const SHOWN_SCHEMA = `CREATE VIRTUAL TABLE texts USING fts5(${COLUMNS.join(', ')}, ${TOKENS})`
