import type { Nodes, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { visibleLines } from './visible-text.ts'

/** Markdown that an agent or a person wrote, as elements. Nothing of it becomes HTML, and nothing is loaded. */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text])
  return <div class="markdown">{blocks === null ? <pre>{visibleLines(text)}</pre> : blocks.map(element)}</div>
}

/** Nobody nests as deep as this, and far deeper the page could not draw it. */
const DEEPEST = 50

/** Null: it is nested so deep that it stays plain text. */
function blocksOf(text: string): readonly RootContent[] | null {
  try {
    const { children } = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
    return isDeeper(children, DEEPEST) ? null : children
  } catch {
    return null
  }
}

/** Level by level: a function that calls itself would not come to the end of the deepest ones. */
function isDeeper(nodes: readonly Nodes[], most: number): boolean {
  let level = nodes
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === most) return true
    level = level.flatMap((node) => ('children' in node ? node.children : []))
  }
  return false
}

function element(node: RootContent, key: number): ComponentChildren {
  switch (node.type) {
    case 'heading': {
      // The page has its own headings of the first two levels.
      const Heading = `h${Math.min(6, node.depth + 2)}` as 'h3'
      return <Heading key={key}>{inside(node)}</Heading>
    }
    case 'paragraph':
      return <p key={key}>{inside(node)}</p>
    case 'text':
      return visibleLines(node.value)
    case 'html':
      return <code key={key}>{visibleLines(node.value)}</code>
    case 'strong':
      return <strong key={key}>{inside(node)}</strong>
    case 'emphasis':
      return <em key={key}>{inside(node)}</em>
    case 'delete':
      return <del key={key}>{inside(node)}</del>
    case 'inlineCode':
      return <code key={key}>{visibleLines(node.value)}</code>
    case 'code':
      return (
        <pre key={key} class="content">
          {visibleLines(node.value)}
        </pre>
      )
    case 'blockquote':
      return <blockquote key={key}>{inside(node)}</blockquote>
    case 'list':
      return node.ordered ? (
        <ol key={key} start={node.start ?? 1}>
          {inside(node)}
        </ol>
      ) : (
        <ul key={key}>{inside(node)}</ul>
      )
    case 'listItem':
      return (
        <li key={key}>
          {node.checked !== null && node.checked !== undefined && (
            <input type="checkbox" checked={node.checked} disabled aria-label={node.checked ? 'done' : 'open'} />
          )}
          {inside(node)}
        </li>
      )
    case 'link':
      return <SafeLink key={key} url={node.url} children={inside(node)} />
    case 'image':
      return <code key={key}>{visibleLines(`![${node.alt ?? ''}](${node.url})`)}</code>
    case 'break':
      return <br key={key} />
    case 'thematicBreak':
      return <hr key={key} />
    case 'table':
      return <MarkdownTable key={key} table={node} />
    default:
      return 'value' in node ? visibleLines(String(node.value)) : 'children' in node ? inside(node as Nodes) : null
  }
}

/** Its first row is its head. */
function MarkdownTable({ table: { children } }: { table: Table }) {
  const [head, ...rows] = children
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so with the keyboard too
    <section class="wide" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, at) => (
              <th key={at} scope="col">
                {inside(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.children.map((cell, column) => (
                <td key={column}>{inside(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function inside(node: Nodes): ComponentChildren {
  return 'children' in node ? node.children.map((child, key) => element(child as RootContent, key)) : null
}

/** Only the web's own addresses: `javascript:` and its like stay text. */
function SafeLink({ url, children }: { url: string; children: ComponentChildren }) {
  if (!/^https?:\/\//i.test(url)) return <span title={visibleLines(url)}>{children}</span>
  return (
    <a href={url} title={visibleLines(url)} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  )
}
