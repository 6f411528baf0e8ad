import { z } from 'zod'
import { badFile, type ForeignFile, type ForeignTask, type ForeignTasks, type Importer, jsonOf } from './importer.ts'

/**
 * To add a tool: copy this to `<tool>.ts`, name it in TOOLS, put it into the registry, let the real tool write files
 * for `test/fixtures/import/<tool>/`, and add it to the tables of the tests and of docs/integrations.md.
 */
export const template: Importer = {
  tool: 'github',
  folders: ['', '.template'],
  pick: (paths) => paths.filter((path) => path === '.template/tasks.json'),
  recognises: ({ text }) => schema.safeParse(jsonOf(text)).success,
  read,
}

const schema = z.array(
  z.object({ id: z.string(), title: z.string(), text: z.string().default(''), done: z.boolean().default(false) }),
)

/** Pure: the texts in, tasks out. What is left out is said; what makes no sense is refused with its place. */
function read(files: readonly ForeignFile[]): ForeignTasks {
  const tasks = files.flatMap(({ name, text }) => {
    const parsed = schema.safeParse(jsonOf(text))
    if (!parsed.success) throw badFile(name, 'no list of tasks')
    return parsed.data.map(readTask)
  })
  return { tasks, milestones: [], skipped: [] }
}

function readTask({ id, title, text, done }: z.infer<typeof schema>[number]): ForeignTask {
  return { name: id, title, body: text, status: done ? 'completed' : 'pending', dependsOn: [], notes: [], about: [] }
}
