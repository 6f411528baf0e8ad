import { weakeningText } from '../../../../src/core/weakened/weakening.ts'
import type { QueueItem } from '../../api/types.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Link } from '../../parts/link.tsx'
import { TaskLink } from '../../parts/task-link.tsx'
import { Ago } from '../../parts/time.tsx'
import { visibleLines, visibleText } from '../../parts/visible-text.ts'
import { pathTo } from '../../route.ts'

interface Props {
  repository: string
  base: string
  title: string
  note?: string
  items: readonly QueueItem[]
  isOrdered?: boolean
  /** Tasks can be chosen if there is something to do with them. */
  chosen?: ReadonlySet<number>
  toggle?: (number: number) => void
  /** What lands only if a person names it has a button of its own. Undefined: nothing can be done. */
  checked?: string
}

/** A part of the queue; nothing if it is empty. */
export function QueueSection({ title, note, items, isOrdered = false, ...rest }: Props) {
  if (items.length === 0) return null
  const List = isOrdered ? 'ol' : 'ul'
  return (
    <section>
      <h2>
        {title} <span class="count">{items.length}</span>
      </h2>
      {note && <p class="why">{note}</p>}
      <List class="queue">
        {items.map((item) => (
          <Queued key={item.id} item={item} {...rest} />
        ))}
      </List>
    </section>
  )
}

type QueuedProps = Pick<Props, 'repository' | 'base' | 'chosen' | 'toggle' | 'checked'> & { item: QueueItem }

function Queued({ repository, base, item, chosen, toggle, checked }: QueuedProps) {
  const { number, branch, head, code, detail, outside, weakened, automatic, refusal, canBeNamed } = item
  const isChoosable = toggle !== undefined && (code === 'READY' || code.startsWith('CHECKOUT'))
  return (
    <li class={`queued code-${code.toLowerCase()}`} data-row>
      {isChoosable && (
        <input
          type="checkbox"
          aria-label={`Choose #${number}`}
          checked={chosen?.has(number) ?? false}
          onChange={() => toggle(number)}
        />
      )}
      <div>
        <p class="line">
          <TaskLink repository={repository} task={item} />
          <span class="code">{code.replaceAll('_', ' ').toLowerCase()}</span>
        </p>
        <p class="facts">
          <span>{visibleText(detail)}</span>
          <code>{branch}</code>
          {head !== null && <code>{head.slice(0, 10)}</code>}
          {automatic && code === 'READY' && <span>lands by itself</span>}
          <Link to={pathTo(repository, 'diff', number)} class="action">
            Diff
          </Link>
        </p>
        {outside.length > 0 && <p class="why">Changes files outside of its list: {visibleText(outside.join(', '))}</p>}
        {weakened.map((each) => (
          <p class="why" key={weakeningText(each)}>
            Weakens checks: {visibleText(weakeningText(each))}
          </p>
        ))}
        {refusal && <Refusal {...refusal} />}
        {checked !== undefined && canBeNamed && <LandNamed {...{ repository, base, item, checked }} />}
      </div>
    </li>
  )
}

/** Landing what does not land by itself: the person is told once more why. */
function LandNamed({
  repository,
  base,
  item,
  checked,
}: Required<Pick<Props, 'repository' | 'base' | 'checked'>> & { item: QueueItem }) {
  const { number, detail, version } = item
  const refs = [String(number)]
  return (
    <div class="buttons">
      <ConfirmButton
        {...{ repository, label: `Land #${number}`, action: 'start', input: { command: 'merge', refs } }}
        effect={`#${number} ${visibleText(detail)}. You land it nevertheless. ${checked} Then ${base} moves forward.`}
        seen={{ seen: [{ ref: String(number), version }] }}
        command={`gza merge ${number}`}
      />
    </div>
  )
}

function Refusal({ outcome, at, detail }: NonNullable<QueueItem['refusal']>) {
  return (
    <details class="refusal">
      <summary>
        {outcome === 'conflict' ? 'It conflicted' : 'The checks failed with it'} <Ago at={at} />
      </summary>
      <pre class="content">{visibleLines(detail)}</pre>
    </details>
  )
}
