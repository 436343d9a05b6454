import { useState } from 'preact/hooks'
import { countBytes, formatBytes } from './format.ts'

const maxCharacters = 400
const maxLines = 8

/** Text from elsewhere. A long one is collapsed with its size, and expands in place. */
export function LongText({ text, max = maxCharacters }: { readonly text: string; readonly max?: number }) {
  const [isOpen, setOpen] = useState(false)
  const short = shorten(text, max)
  if (short === text) return <bdi class="text">{text}</bdi>
  return (
    <>
      <bdi class="text">{isOpen ? text : `${short}…`}</bdi>{' '}
      <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'show less' : `show all, ${formatBytes(countBytes(text))}`}
      </button>
    </>
  )
}

function shorten(text: string, max: number): string {
  const lines = text.slice(0, max + 1).split('\n')
  const short = lines.length > maxLines ? lines.slice(0, maxLines).join('\n') : text
  return short.length > max ? short.slice(0, max) : short
}
