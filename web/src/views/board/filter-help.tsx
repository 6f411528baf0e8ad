const WORDS: readonly [string, string][] = [
  ['parser unicode', 'All words are found in the texts of the task'],
  ['"syntax error"', 'These words, next to each other'],
  ['pars*', 'The beginning of a word'],
  ['-legacy', 'Must not be found'],
  ['title:parser', 'In one text only: title, content, note, criteria, artifact'],
]

const FLAGS: readonly [string, string][] = [
  ['--status ready', 'open, pending, ready, blocked, in_progress, done, failed, skipped'],
  ['--priority critical,high', 'Several values are separated by commas'],
  ['--agent codex', 'Assigned to this agent'],
  ['--group NAME', 'Of this group'],
  ['--milestone NAME', 'Of this milestone'],
  ['--type plan', 'task, explore, plan, implement, review, improve'],
  ['--since 2d', 'Filed or finished since then: 2d, 12h, or a date'],
  ['--file src/', 'Declares such a file: a path, its beginning, or a pattern'],
  ['--not parser', 'Leaves out what matches: a word, or FIELD:VALUE'],
  ['--not --milestone m1', 'Leaves out what this flag matches'],
  ['--view NAME', 'A filter that gza.yaml has saved below views'],
  ['--all', 'Also archived tasks'],
]

/** The language of the filter. */
export function FilterHelp() {
  return (
    <>
      <button type="button" class="quiet" popovertarget="filter-help">
        Filter help
      </button>
      <div id="filter-help" class="filter-help" popover="auto" role="dialog" aria-label="How to filter">
        <h2>How to filter</h2>
        <p>
          Words are found as <code>gza search</code> finds them, and the flags are those of <code>gza list</code>. All
          of them must hold. Finished tasks are on the board, so they are found too.
        </p>
        <Rows rows={WORDS} />
        <Rows rows={FLAGS} />
      </div>
    </>
  )
}

function Rows({ rows }: { rows: readonly [string, string][] }) {
  return (
    <dl>
      {rows.map(([typed, means]) => (
        <div key={typed}>
          <dt>
            <code>{typed}</code>
          </dt>
          <dd>{means}</dd>
        </div>
      ))}
    </dl>
  )
}
