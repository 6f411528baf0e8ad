/** Anything shorter turns up in other words, unless its name says that it is a secret. */
const LONG = 16

/**
 * The values of a `.env` file that look like secrets: those that a name like API_KEY announces, and those that are long
 * and mixed from letters and digits. Words such as `development`, paths and addresses stay readable in logs.
 */
export function dotenvSecrets(text: string, isSecretName: (name: string) => boolean): string[] {
  return text.split('\n').flatMap((line) => {
    const [, name = '', written = ''] = line.match(/^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/) ?? []
    const value = unquoted(written.trim())
    return isSecretName(name) || looksSecret(value) ? [value] : []
  })
}

function unquoted(written: string): string {
  const [, quoted] = written.match(/^(?:"([^"]*)"|'([^']*)')/)?.filter((part) => part !== undefined) ?? []
  return quoted ?? written.replace(/\s+#.*$/, '')
}

function looksSecret(value: string): boolean {
  if (value.length < LONG || /\s/.test(value) || /^(?:[./~]|\w+:\/\/[^@]*$)/.test(value)) return false
  return /\d/.test(value) && /[a-z]/i.test(value)
}
