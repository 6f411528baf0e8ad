/** Reports errors that nobody has waited for, and continues: a driver may throw one when its server goes away. */
export function surviveErrors(report: (error: Error) => void): void {
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.removeAllListeners(event)
    // The runtime reports an unhandled rejection only if there are two.
    process.on(event, () => {})
    process.on(event, (error) => report(error as Error))
  }
}
