/** What a terminal shows after some output: the part of a VT100 that gza makes use of, and a loud error for any other. */
export interface Screen {
  write(text: string): void
  resize(columns: number, rows: number): void
  /** From the top, without spaces at the ends and without empty lines at the bottom. */
  lines(): string[]
  isAlternate(): boolean
  isCursorShown(): boolean
}

/** A control sequence, the beginning of one that was cut, or a character. */
const TOKENS = new RegExp(['\\u001b\\[([?\\d;]*)([A-Za-z])', '(\\u001b(?:\\[[?\\d;]*)?)$', '[\\s\\S]'].join('|'), 'gu')

interface Page {
  rows: string[][]
  x: number
  y: number
}

export function aScreen(columns: number, height: number): Screen {
  let size = { columns, height }
  let main = emptyPage()
  let other: Page | null = null
  const modes = new Map([
    ['25', true],
    ['7', true],
  ])
  const page = () => other ?? main

  function put(character: string): void {
    const width = Bun.stringWidth(character)
    const at = page()
    if (at.x + width > size.columns) {
      if (modes.get('7')) newLine()
      else at.x = size.columns - width
    }
    const row = rowAt(at, at.y)
    while (row.length < at.x) row.push(' ')
    row.splice(at.x, width, character, ...Array.from({ length: width - 1 }, () => ''))
    at.x += width
  }

  function newLine(): void {
    const at = page()
    at.x = 0
    at.y += 1
    if (at.y < size.height) return
    at.y = size.height - 1
    at.rows.shift()
  }

  function control(parameters: string, final: string): void {
    const at = page()
    const [first = 0, second = 0] = parameters.split(';').map(Number)
    if (final === 'm') return
    if (final === 'A') at.y = Math.max(0, at.y - (first || 1))
    else if (final === 'H') [at.y, at.x] = [(first || 1) - 1, (second || 1) - 1]
    else if (final === 'K' && parameters === '') rowAt(at, at.y).length = Math.min(rowAt(at, at.y).length, at.x)
    else if (final === 'J' && parameters === '2') at.rows = []
    else if (final === 'J' && parameters === '') {
      rowAt(at, at.y).length = Math.min(rowAt(at, at.y).length, at.x)
      at.rows.length = Math.min(at.rows.length, at.y + 1)
    } else if (parameters.startsWith('?') && (final === 'h' || final === 'l'))
      setMode(parameters.slice(1), final === 'h')
    else throw new Error(`an escape that this terminal does not know: ${parameters}${final}`)
  }

  function setMode(mode: string, isOn: boolean): void {
    if (!['1049', '25', '7'].includes(mode)) throw new Error(`a mode that this terminal does not know: ${mode}`)
    modes.set(mode, isOn)
    if (mode === '1049') other = isOn ? emptyPage() : null
  }

  let unread = ''
  return {
    write(text) {
      for (const [token, parameters, final, cut] of (unread + text).matchAll(TOKENS)) {
        unread = cut ?? ''
        if (cut !== undefined) break
        if (final !== undefined) control(parameters ?? '', final)
        else if (token === '\r') page().x = 0
        else if (token === '\n') {
          const { x } = page()
          newLine()
          page().x = x
        } else if (token < ' ') throw new Error(`a control character: ${JSON.stringify(token)}`)
        else put(token)
      }
    },
    resize(newColumns, newHeight) {
      size = { columns: newColumns, height: newHeight }
      main = { ...main, y: Math.min(main.y, newHeight - 1) }
    },
    lines() {
      const lines = page().rows.map((row) => row.join('').trimEnd())
      return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
    },
    isAlternate: () => other !== null,
    isCursorShown: () => modes.get('25') === true,
  }
}

function emptyPage(): Page {
  return { rows: [], x: 0, y: 0 }
}

function rowAt(page: Page, y: number): string[] {
  while (page.rows.length <= y) page.rows.push([])
  return page.rows[y] as string[]
}
