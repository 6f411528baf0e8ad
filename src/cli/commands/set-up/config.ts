import type { Setting } from '../../../core/config/list-settings.ts'
import { showConfig } from '../../../workspace/config/show-config.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { renderSettings } from '../../render/set-up/config.ts'
import { printResult } from '../../terminal/print.ts'

export default async function config(
  this: CallContext,
  flags: GlobalFlags & { schema: boolean },
  key: string | undefined,
): Promise<void> {
  if (flags.schema) {
    const { configJsonSchema } = await import('../../../workspace/config/config-schema.ts')
    this.out.write(configJsonSchema())
    return
  }
  const settings = await showConfig({ cwd: this.cwd, env: this.env, branch: flags.branch }, key)
  const fields = settings.map((setting) => ({ ...setting, origin: originFields(setting.origin) }))
  printResult(this, flags, fields, renderSettings(settings, this.display))
}

function originFields({ kind, ...place }: Setting['origin']) {
  return { kind, file: null, line: null, name: null, ...place }
}
