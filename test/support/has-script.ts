/** util-linux's `script` runs a command on a terminal of its own; BSD's takes other arguments. */
export const HAS_SCRIPT = process.platform === 'linux' && Bun.which('script') !== null
