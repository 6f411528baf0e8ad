/** Runs the given command and prints the command's peak memory in bytes. */
const argv = process.argv.slice(2)
const child = Bun.spawnSync(argv, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
if (child.exitCode !== 0) throw new Error(`${argv.join(' ')} exited with ${child.exitCode}`)
console.log(child.resourceUsage.maxRSS)
