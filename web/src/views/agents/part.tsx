import type { ComponentChildren } from 'preact'

interface PartProps {
  title: string
  count: number
  /** What to say if there is nothing. */
  empty?: string
  children: ComponentChildren
}

export function Part({ title, count, empty, children }: PartProps) {
  return (
    <section>
      <h2>
        {title} <span class="count">{count}</span>
      </h2>
      {count === 0 && empty !== undefined ? <p class="why">{empty}</p> : children}
    </section>
  )
}

interface TableProps {
  title: string
  columns: readonly string[]
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[]
}

/** On a narrow screen it scrolls inside of itself. */
export function Table({ title, columns, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so with the keyboard too
    <section class="wide" tabIndex={0} aria-label={`${title}, table`}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} data-row tabIndex={-1}>
              {cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
