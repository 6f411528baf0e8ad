/** A program that does nothing: what the runtime takes to start and to end. */
process.exit(0)
