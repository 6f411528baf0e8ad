import { setDefaultTimeout } from 'bun:test'
import { TIME_LIMIT_MS } from '../client-test.ts'
import { CLIENTS } from '../clients.ts'
import { testFirstTask } from '../scenarios/first-task.ts'

setDefaultTimeout(TIME_LIMIT_MS)

for (const client of Object.values(CLIENTS)) testFirstTask(client)
