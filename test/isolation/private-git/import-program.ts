/** Imports a run's work in a process of its own, which can be killed: `import-program.ts REPO FOLDER`. */
import { importWork } from '../../../src/engine/isolation/private-git/import-work.ts'
import { openPrivateGit } from '../../../src/engine/isolation/private-git/private-git.ts'
import { findRepo } from '../../../src/platform/git/find-repo.ts'

const [dir = '', folder = ''] = process.argv.slice(2)
const git = openPrivateGit(folder)
if (git === null) throw new Error(`${folder} is half made`)
console.log(JSON.stringify(await importWork(findRepo(dir, process.env), git, (argv) => argv)))
