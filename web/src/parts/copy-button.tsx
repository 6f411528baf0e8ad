import { useState } from 'preact/hooks'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <button type="button" class="quiet" onClick={copy}>
      {isCopied ? 'Copied' : label}
    </button>
  )
}
