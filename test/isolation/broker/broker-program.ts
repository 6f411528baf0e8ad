/**
 * Opens a broker for a run as the supervisor does, prints what the agent gets, and keeps it open until it is ended.
 * Arguments: the repository, the agent's folder, gza's executable. The environment is that of the agent.
 */
import { openBroker } from '../../../src/engine/isolation/broker/open-broker.ts'
import { findRepo } from '../../../src/platform/git/find-repo.ts'

const [dir = '', cwd = '', binary = ''] = process.argv.slice(2)
const broker = await openBroker({ repo: findRepo(dir, process.env), cwd, binary, env: process.env })
console.log(JSON.stringify(broker.env))
process.on('SIGTERM', () => broker.close().then(() => process.exit(0)))
await new Promise(() => setInterval(() => {}, 60_000))
