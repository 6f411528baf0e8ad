/** How the fields of a line start that are edits of fields of a later release: see later-edits.ts. */
export const LATER_EDIT = 'edit:'

/** Can the text of a line contain one? Most do not, and are not searched further. */
export function mayHaveLaterEdits(line: string): boolean {
  return line.includes(`"${LATER_EDIT}`)
}
