import { areaOf, type Source } from '../source.ts'
import { splitCode } from '../split-code.ts'

const ENVIRONMENT = /\b(?:process|Bun|import\.meta)\.env\b/
const SPAWN_OR_FILE = /\bBun\.(?:\$|spawn|spawnSync|file|write|serve|connect|listen|sql)\b/
const PRESENT_TIME = /\bDate\.now\(|\bnew Date\(\)|\bDate\(\)/
const OTHER_CLOCK_OR_DICE = /\bMath\.random\(|\brandom(?:UUID|Bytes|Int)\b|\bperformance\.now\(/

/** Only platform and the entry point see the environment, processes, files and the clock; core sees no randomness. */
export function outsideWorldUses(sources: readonly Source[]): string[] {
  return sources.filter(({ path }) => !isOutside(areaOf(path))).flatMap(usesIn)
}

function usesIn({ path, text }: Source): string[] {
  const isCore = areaOf(path) === 'core'
  return splitCode(text)
    .filter(({ kind }) => kind === 'code')
    .flatMap((piece) => piece.text.split('\n').map((code, index) => ({ code, line: piece.line + index })))
    .flatMap(({ code, line }) =>
      [
        ENVIRONMENT.test(code) ? 'only platform reads the environment; use ws.env' : null,
        SPAWN_OR_FILE.test(code) ? 'only platform spawns processes and touches files' : null,
        isCore && (PRESENT_TIME.test(code) || OTHER_CLOCK_OR_DICE.test(code))
          ? 'core takes time and randomness as arguments'
          : null,
        !isCore && PRESENT_TIME.test(code) ? 'only platform reads the clock; use ws.now()' : null,
      ]
        .filter((problem) => problem !== null)
        .map((problem) => `${path}:${line}: ${problem}`),
    )
}

function isOutside(area: string): boolean {
  return area === 'platform' || area === 'main.ts'
}
