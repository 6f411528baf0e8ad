/** How bun build makes the executable, and the reference programs of the benchmark. */
// Without the last two a compiled executable loads .env and bunfig.toml from the current folder, and a repository's
// `preload` runs inside it.
export const COMPILE_FLAGS: readonly string[] = [
  ...[
    '--compile',
    '--bytecode',
    '--format=esm',
    '--minify-syntax',
    '--minify-whitespace',
    '--sourcemap',
    '--splitting',
  ],
  ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
]
