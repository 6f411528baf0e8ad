/**
 * What `gza demo --web` has besides the four parts of the shop, so that every view of the page has something to show: a
 * question, a failure, work that only a person may land, work in progress, and tasks that wait for others.
 */
export interface QueuedPart {
  content: string
  /** What the agent writes. Its prompt names the file, and so it knows which task it has. */
  file: string
  /** Further words of `gza add`. */
  flags: readonly string[]
  acts: 'writes' | 'asks' | 'gives up' | 'takes long'
  /** A file that it writes although its task does not name it. */
  extra?: { file: string; text: string }
}

/** Worked on before the page opens. The first is the fifth task. */
export const WORKED_PARTS: readonly QueuedPart[] = [
  {
    content: 'Print prices with their currency',
    file: 'lib/currency.sh',
    flags: ['--group', 'checkout', '--priority', 'high', '--accept', 'currency prints EUR or USD'],
    acts: 'asks',
  },
  {
    content: 'Ask the bank for the rates of the day',
    file: 'lib/rates.sh',
    flags: ['--group', 'reports', '--max-attempts', '1'],
    acts: 'gives up',
  },
  {
    content: 'Keep the line ends of shell files',
    file: '.gitattributes',
    flags: ['--group', 'shop'],
    acts: 'writes',
    extra: {
      file: 'docs/line-ends.md',
      text: '# Line ends\n\nShell cannot read files with the line ends of Windows.\nGit keeps those of Unix, whatever an editor writes.\n',
    },
  },
]

/** Runs while the page is open. */
export const LONG_PART: QueuedPart = {
  content: 'Write the manual of the shop',
  file: 'docs/manual.md',
  flags: ['--group', 'docs'],
  acts: 'takes long',
}

/** Wait for a person who starts work on them in the page. */
export const OPEN_PARTS: readonly QueuedPart[] = [
  open('Describe the cart', 'docs/cart.md', 'checkout', 'critical'),
  open('Describe how to pay by card', 'docs/payment.md', 'checkout', 'high', 9),
  open('Describe the receipt', 'docs/receipt.md', 'checkout', 'medium', 10),
  open('Describe refunds', 'docs/refunds.md', 'checkout', 'high', 10),
  open('Describe the report of a day', 'docs/day.md', 'reports', 'medium', 11, 12),
  open('Describe the report of a year', 'docs/year.md', 'reports', 'low', 13),
  open('List the words that the shop uses', 'docs/words.md', 'docs', 'low'),
]

function open(content: string, file: string, group: string, priority: string, ...after: number[]): QueuedPart {
  const flags = ['--group', group, '--priority', priority, ...after.flatMap((number) => ['--after', String(number)])]
  return { content, file, flags, acts: 'writes' }
}

export const QUEUED_PARTS: readonly QueuedPart[] = [...WORKED_PARTS, LONG_PART, ...OPEN_PARTS]

/** What the agent of the long task says again and again. */
export const LONG_WORDS = [
  'I read the tests of this part',
  'I write down what it is for',
  'I add an example',
  'I try it',
]

export const QUESTION = 'Are prices in euros or in dollars?'

/** What is in the file, with the answer to the question if there is one. */
export function textOf({ content, file }: QueuedPart, answer: string): string {
  if (file === 'lib/currency.sh') return `currency() {\n  echo ${/dollar|usd/i.test(answer) ? 'USD' : 'EUR'}\n}\n`
  if (file === '.gitattributes') return '# See docs/line-ends.md\n*.sh text eol=lf\n*.md text\n'
  return `# ${content.replace(/^(Describe|Write|List) /, '')}\n\nPrices are in cents, and every sum is rounded to the cent.\n`
}
