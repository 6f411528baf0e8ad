import type { ComponentChildren } from 'preact'
import { visibleText } from '../../parts/visible-text.ts'

interface FigureProps {
  title: string
  note?: string
  legend?: readonly { name: string; look: string }[]
  columns: readonly string[]
  rows: readonly (readonly [name: string, ...cells: ComponentChildren[]])[]
  children?: ComponentChildren
  /** The table is the figure itself, and not folded away. */
  isOpen?: boolean
}

/** A chart and the table with the same numbers, which is what screen readers and people who want the numbers get. */
export function Figure({ title, note, legend = [], columns, rows, children, isOpen = false }: FigureProps) {
  return (
    <figure class="figure">
      <figcaption>
        <h2>{title}</h2>
        {legend.length > 1 && (
          <ul class="legend">
            {legend.map(({ name, look }) => (
              <li key={name}>
                <span class={`swatch ${look}`} aria-hidden="true" /> {name}
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      {note && <p class="why">{note}</p>}
      {children}
      {isOpen ? (
        <NumberTable {...{ title, columns, rows }} />
      ) : (
        <details class="as-table">
          <summary>{title} as a table</summary>
          <NumberTable {...{ title, columns, rows }} />
        </details>
      )}
    </figure>
  )
}

function NumberTable({ title, columns, rows }: Pick<FigureProps, 'title' | 'columns' | 'rows'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so with the keyboard too
    <section class="wide" tabIndex={0} aria-label={`${title}, table`}>
      <table class="number-table">
        <caption class="hidden">{title}</caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            <tr key={row}>
              <th scope="row">{visibleText(name)}</th>
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

interface ShareBarProps {
  label: string
  value: number
  most: number
  words: string
  look?: string
}

/** A bar whose length is a share of something, with its value in words beside it. */
export function ShareBar({ label, value, most, words, look = 'one' }: ShareBarProps) {
  const share = most <= 0 ? 0 : Math.min(1, value / most)
  return (
    <div class="share">
      <span class="share-label">{visibleText(label)}</span>
      <svg class="share-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width={100} height={8} />
        <rect class={`bar-${look}`} width={share * 100} height={8} />
      </svg>
      <span class="share-words">{words}</span>
    </div>
  )
}
