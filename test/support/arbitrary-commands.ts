import fc from 'fast-check'

/** One call of gza: its words, and what it reads from standard input. */
export interface Call {
  args: string[]
  stdin?: string
}

/** Tasks are named by number; an unknown number is refused, and that changes nothing. */
const anyNumber = fc.integer({ min: 1, max: 12 }).map(String)
const anyWord = fc.constantFrom('red', 'green', 'blue', 'Größe', 'a "b" | c')

const anyFlags = fc
  .record({
    after: fc.option(anyNumber, { freq: 2 }),
    parent: fc.option(anyNumber, { freq: 4 }),
    group: fc.option(anyWord, { freq: 2 }),
    priority: fc.option(fc.constantFrom('critical', 'high', 'medium', 'low'), { freq: 2 }),
    milestone: fc.option(fc.constantFrom('M2', 'M10'), { freq: 4 }),
  })
  .map((flags) => Object.entries(flags).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value])))

const anyAdd = fc.tuple(anyWord, anyFlags).map(([word, flags]): Call => ({ args: ['add', word, ...flags] }))
const anyImport = fc
  .array(fc.tuple(anyWord, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((items): Call => {
    const lines = items.map(([word, isDone, isPart]) => `${isPart ? '  ' : ''}- [${isDone ? 'x' : ' '}] ${word}\n`)
    return { args: ['import', '-'], stdin: lines.join('') }
  })
const anyChange = fc.oneof(
  fc.tuple(anyNumber, anyWord).map(([task, word]): Call => ({ args: ['note', task, word] })),
  anyNumber.map((task): Call => ({ args: ['done', task] })),
  fc.tuple(anyNumber, anyFlags).map(([task, flags]): Call => ({ args: ['edit', task, '--title', 'T', ...flags] })),
  fc.tuple(anyNumber, anyWord).map(([task, word]): Call => ({ args: ['edit', task, '--content', word.repeat(400)] })),
  anyNumber.map((task): Call => ({ args: ['edit', task, '--reopen'] })),
  anyNumber.map((task): Call => ({ args: ['delete', task] })),
  anyNumber.map((task): Call => ({ args: ['restore', task] })),
  fc.constantFrom<Call>({ args: ['undo'] }, { args: ['redo'] }),
)

/** A call that may change the ledger. */
export const anyCall: fc.Arbitrary<Call> = fc.oneof(
  { weight: 3, arbitrary: anyAdd },
  { weight: 1, arbitrary: anyImport },
  { weight: 6, arbitrary: anyChange },
)
