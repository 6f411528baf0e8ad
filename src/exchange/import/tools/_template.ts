import { z } from 'zod'
import { badFile, type ForeignFile, type ForeignTask, type ForeignTasks, type Importer, jsonOf } from './importer.ts'

/**
 * To add a tool: copy this to `<tool>.ts`, name it in TOOLS, add it to the registry, let the real tool write files for
 * `test/fixtures/import/<tool>/`, and add it to the tables of the tests and of docs/integrations.md.
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

/** Pure: texts in, tasks out. What is left out is reported; invalid input is refused with its position. */
function read(files: readonly ForeignFile[]): ForeignTasks {
  const tasks = files.flatMap(({ name, text }) => {
    const parsed = schema.safeParse(jsonOf(text))
    if (!parsed.success) throw badFile(name, 'not a list of tasks')
    return parsed.data.map(readTask)
  })
  return { tasks, milestones: [], skipped: [] }
}

function readTask({ id, title, text, done }: z.infer<typeof schema>[number]): ForeignTask {
  return { name: id, title, body: text, status: done ? 'completed' : 'pending', dependsOn: [], notes: [], about: [] }
}
