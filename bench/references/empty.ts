/** A program that does nothing: the time the runtime needs to start and to exit. */
process.exit(0)
