import { readMachine } from '../../reports/machine/read-machine.ts'
import { defineResource } from './resource.ts'

export default defineResource({ path: 'agents', read: readMachine })
