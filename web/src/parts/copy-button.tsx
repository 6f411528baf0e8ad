import { useState } from 'preact/hooks'

const SHOWN_MS = 1500

interface Props {
  text: string
  label: string
  /** What the label does not name, for those who only hear it. */
  what?: string
}

export function CopyButton({ text, label, what }: Props) {
  const [said, setSaid] = useState<string | null>(null)
  const copy = async (): Promise<void> => {
    // A browser may forbid it.
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    setSaid(isCopied ? 'Copied' : 'Cannot copy here')
    setTimeout(() => setSaid(null), SHOWN_MS)
  }
  return (
    <button type="button" class="quiet" title={what} onClick={copy}>
      {said ?? label}
    </button>
  )
}
