/** The few roff requests that the pages use. Every text passes through `escapeRoff`. */

export function heading(title: string): string {
  return `.SH ${quote(title.toUpperCase())}\n`
}

export function subheading(title: string): string {
  return `.SS ${quote(title)}\n`
}

export function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((part) => `.PP\n${body(part)}\n`)
    .join('')
}

/** A term in bold with its indented explanation below it. */
export function entry(term: string, text: string): string {
  return `.TP\n.B ${quote(term)}\n${body(text)}\n`
}

export function indented(content: string): string {
  return content === '' ? '' : `.RS\n${content}.RE\n`
}

/** Lines kept as they are. */
export function literal(lines: readonly string[]): string {
  return `.PP\n.RS\n.nf\n${lines.map(escapeRoff).join('\n')}\n.fi\n.RE\n`
}

export function title(name: string, version: string): string {
  return `.TH ${quote(name.toUpperCase())} 1 "" ${quote(`gza ${version}`)} "gza manual"\n`
}

function body(text: string): string {
  return text.trim().split('\n').map(escapeRoff).join('\n')
}

function quote(text: string): string {
  return `"${escapeRoff(text).replaceAll('"', '\\(dq')}"`
}

/** A leading dot or quote would be a request, and a plain hyphen may be printed as a typographic one. */
function escapeRoff(text: string): string {
  return text
    .trimEnd()
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(\s*)(['.])/, '$1\\&$2')
}
