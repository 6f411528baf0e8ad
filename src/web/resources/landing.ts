import { readLanding } from '../../landing/progress/read-landing.ts'
import { defineResource } from './resource.ts'

export default defineResource({ path: 'landing', read: readLanding })
