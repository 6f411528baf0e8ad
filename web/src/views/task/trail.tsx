import { useResource } from '../../api/resource.ts'
import type { History } from '../../api/types.ts'
import { Folded } from '../../parts/folded.tsx'
import { Shown } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { visibleText } from '../../parts/visible-text.ts'

interface Props {
  repository: string
  number: number
}

/** Every change of the task with the ledger commit that made it. It is read when it is opened. */
export function AuditTrail(props: Props) {
  return (
    <section>
      <h2>Audit trail</h2>
      <Folded title="Every change of this task in the ledger">
        <Changes {...props} />
      </Folded>
    </section>
  )
}

function Changes({ repository, number }: Props) {
  const read = useResource<History>(repository, `tasks/${number}/history`)
  return (
    <Shown read={read.value}>
      {(changes) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so with the keyboard too
        <section class="scroll" tabIndex={0} aria-label="Audit trail, table">
          <table>
            <thead>
              <tr>
                {['When', 'Who', 'Change', 'Ledger commit'].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {changes.map(({ commit, at, by, mode, subject }) => (
                <tr key={commit}>
                  <td>
                    <Ago at={at} />
                  </td>
                  <td>
                    {by} <span class="note">{mode}</span>
                  </td>
                  <td>{visibleText(subject)}</td>
                  <td>
                    <code title={commit}>{commit.slice(0, 10)}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Shown>
  )
}
