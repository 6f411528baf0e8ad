import { constants, Database } from 'bun:sqlite'

/** Opens the given index in the way gza must open it, and reads one row: the least that any command does. */
const db = new Database(process.argv[2] ?? '', { create: true, strict: true })
db.run('PRAGMA busy_timeout = 60000')
db.run('PRAGMA synchronous = NORMAL')
db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
db.run('PRAGMA journal_size_limit = 1048576')
db.query('PRAGMA user_version').get()
db.query('SELECT * FROM entries LIMIT 1').get()
db.close()
process.exit(0)
