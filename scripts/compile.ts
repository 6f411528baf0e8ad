interface Program {
  source: string
  outfile: string
  /** The runtime that the executable contains, if it is not the one that compiles. */
  runtime?: string | null
  plugins?: Bun.BunPlugin[]
}

/** Makes an executable: gza, and the reference programs of the benchmark. */
export async function compile({ source, outfile, runtime = null, plugins = [] }: Program): Promise<void> {
  const { success, logs } = await Bun.build({
    entrypoints: [source],
    target: 'bun',
    format: 'esm',
    bytecode: true,
    splitting: true,
    sourcemap: 'linked',
    minify: { syntax: true, whitespace: true },
    plugins,
    throw: false,
    compile: {
      outfile,
      ...(runtime !== null && { executablePath: runtime }),
      // Otherwise the executable loads .env and bunfig.toml from the current folder, and a repository's `preload` runs
      // inside it.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
  if (!success) throw new Error(logs.map((log) => Bun.inspect(log)).join('\n'))
}
