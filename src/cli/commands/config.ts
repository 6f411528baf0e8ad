import { showConfig } from '../../app/show-config.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { printResult } from '../print.ts'
import { renderSettings } from '../render/config.ts'

export default async function config(
  this: Face,
  flags: GlobalFlags & { schema: boolean },
  key: string | undefined,
): Promise<void> {
  if (flags.schema) {
    const { configJsonSchema } = await import('../../app/config-schema.ts')
    this.out.write(configJsonSchema())
    return
  }
  const settings = await showConfig({ cwd: this.cwd, env: this.env, branch: flags.branch }, key)
  printResult(this, flags, settings, renderSettings(settings, this.look))
}
