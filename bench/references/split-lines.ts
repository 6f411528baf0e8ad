/** Starts the given command, reads what it prints through a pipe, and splits it into lines: nothing else. */
const child = Bun.spawn(process.argv.slice(2), { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
const decoder = new TextDecoder()
let rest = ''
let lines = 0
for await (const chunk of child.stdout) {
  const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
  rest = parts.pop() ?? ''
  lines += parts.length
}
console.log(lines)
