/**
 * Pid 1 of a box, as a script for a shell: it runs the command, and reaps orphans. When the command has ended, what it has
 * left in the background gets TERM and as long as without a box (`GRACE_MS` of `supervise.ts`). Then pid 1 ends, and the
 * kernel kills the rest. The shell says nothing itself: the command has its output.
 */
const SCRIPT = `exec 3>&2 2>/dev/null
(exec "$@" 2>&3 3>&-)
code=$?
if kill -s TERM -- -1; then
  left=100
  while [ $left -gt 0 ] && kill -s 0 -- -1; do sleep 0.05; left=$((left - 1)); done
fi
exit $code`

export function asFirst(sh: string, argv: readonly string[]): string[] {
  return [sh, '-c', SCRIPT, 'gza-box', ...argv]
}
