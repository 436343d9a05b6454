import { useEffect, useState } from 'preact/hooks'

function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState<'copy' | 'copied' | 'failed'>('copy')
  useEffect(() => {
    if (state === 'copy') return
    const timer = setTimeout(() => setState('copy'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  return (
    <button
      type="button"
      class="small"
      aria-label={`${state}: ${label}`}
      onClick={() =>
        navigator.clipboard.writeText(text).then(
          () => setState('copied'),
          () => setState('failed'),
        )
      }
    >
      {state}
    </button>
  )
}

/** The first characters of a digest, all of it on hover, and a button that copies it. */
export function Digest({ digest, label }: { readonly digest: string; readonly label: string }) {
  const short = digest.replace(/^sha256[:-]/, '').slice(0, 12)
  return (
    <span class="digest">
      <code title={digest}>{short}</code> <CopyButton text={digest} label={label} />
    </span>
  )
}

/** A command that a person can run. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <code>{text}</code> <CopyButton text={text} label={text} />
    </div>
  )
}
