/** The project of the demonstration: a shop in shell functions, because every system with git has sh. */

export const SHOP_FILES: Readonly<Record<string, string>> = {
  'README.md': '# Shop\n\nPrices are in cents. `sh tests/run.sh` tests every part in lib/ that is there.\n',
  'gza.yaml': `defaults:
  agent: demo
agents:
  demo:
    command: gza __demo-agent
verify:
  command: sh tests/run.sh
land: squash
retry:
  backoff_seconds: 1
`,
  'tests/run.sh': `failed=0
for part in lib/*.sh; do
  [ -f "$part" ] || continue
  sh "tests/\${part#lib/}" || failed=1
done
exit $failed
`,
  'tests/expect.sh': `expect() { # CALL RESULT
  got=$($1)
  [ "$got" = "$2" ] && echo "ok: $1" || { echo "$1: expected $2, got $got"; exit 1; }
}
`,
  'tests/total.sh': testOf('total', [
    ['total 199 250 51', '500'],
    ['total', '0'],
  ]),
  'tests/tax.sh': testOf('tax', [
    ['tax 100', '19'],
    ['tax 199', '38'],
  ]),
  'tests/discount.sh': testOf('discount', [
    ['discount 9900', '9900'],
    ['discount 10000', '9000'],
  ]),
  'tests/price.sh': testOf('price', [
    ['price 1999', '19.99'],
    ['price 5', '0.05'],
  ]),
  'tests/currency.sh': currencyTest(),
}

function testOf(name: string, cases: [call: string, result: string][]): string {
  const lines = cases.map(([call, result]) => `expect '${call}' '${result}'`)
  return `. tests/expect.sh\n. lib/${name}.sh\n${lines.join('\n')}\n`
}

/** A person chooses one of the two (`gza demo --web`). */
function currencyTest(): string {
  return `. lib/currency.sh
case $(currency) in
  EUR | USD) echo 'ok: currency' ;;
  *) echo 'currency: expected EUR or USD'; exit 1 ;;
esac
`
}

export interface ShopPart {
  content: string
  file: string
  /** What the agent writes first. */
  text: string
  /** What it writes after the failed check is in its prompt, and its commit message. */
  correction?: { text: string; message: string }
  /** What a reviewer finds in it, and the corrected file. Without it, the task is not reviewed. */
  review?: { point: string; text: string; message: string }
}

export const SHOP_PARTS: readonly ShopPart[] = [
  {
    content: 'Add up the prices in a cart',
    file: 'lib/total.sh',
    text: 'total() {\n  sum=0\n  for price in "$@"; do sum=$((sum + price)); done\n  echo "$sum"\n}\n',
  },
  {
    content: 'Compute 19 % tax to the cent',
    file: 'lib/tax.sh',
    text: 'tax() {\n  echo $(($1 * 19 / 100))\n}\n',
    correction: { text: 'tax() {\n  echo $((($1 * 19 + 50) / 100))\n}\n', message: 'Round the tax' },
  },
  {
    content: 'Take 10 % off from 100.00 on',
    file: 'lib/discount.sh',
    text: 'discount() {\n  if [ "$1" -ge 10000 ]; then echo $(($1 * 9 / 10)); else echo "$1"; fi\n}\n',
    review: {
      point: 'lib/discount.sh:2 cuts half a cent off, and the shop rounds',
      text: 'discount() {\n  if [ "$1" -ge 10000 ]; then echo $((($1 * 9 + 5) / 10)); else echo "$1"; fi\n}\n',
      message: 'Address review feedback (cycle 1)',
    },
  },
  {
    content: 'Print a price with two decimals',
    file: 'lib/price.sh',
    text: "price() {\n  printf '%d.%02d\\n' $(($1 / 100)) $(($1 % 100))\n}\n",
  },
]
