import { signal } from '@preact/signals'
import { sshTunnel } from '../../../src/core/text/ssh-tunnel.ts'
import { Dialog } from '../parts/dialog.tsx'
import { scopes } from '../parts/keys.ts'

/** Whether it is open. */
export const isHelpOpen = signal(false)

/** Every key that can be used now with its meaning, and how to use the page from another machine. */
export function Help({ version }: { version: string }) {
  return isHelpOpen.value ? <OpenHelp version={version} /> : null
}

function OpenHelp({ version }: { version: string }) {
  return (
    <Dialog title="Keys" class="help" closed={() => (isHelpOpen.value = false)}>
      {byName().map(([name, keys]) => (
        <section key={name}>
          <h2>{name}</h2>
          <dl>
            {[...keys].map(([key, words]) => (
              <div key={key}>
                <dt>
                  {key.split(' ').map((each, at) => (
                    <kbd key={at}>{each}</kbd>
                  ))}
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <section>
        <h2>From another machine</h2>
        <p>This page is served to this machine only. Forward its port, under the same number:</p>
        <pre>
          <code>{sshTunnel(location.href)}</code>
        </pre>
        <p class="note">Then get an address with: gza web --no-open</p>
        <p class="note">gza {version}</p>
      </section>
    </Dialog>
  )
}

/** The keys of one scope together, wherever they were registered. Those of the view come first. */
function byName(): [name: string, keys: Map<string, string>][] {
  const found = new Map<string, Map<string, string>>()
  for (const { name, current } of scopes.value) {
    const keys = found.get(name) ?? new Map<string, string>()
    for (const each of current()) if (!keys.has(each.keys)) keys.set(each.keys, each.words)
    found.set(name, keys)
  }
  return [...found]
}
