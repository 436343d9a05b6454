import { useState } from 'preact/hooks'
import { countBytes, formatBytes } from './format.ts'

const maxCharacters = 400
const maxLines = 8

interface Props {
  readonly text: string
  readonly max?: number
  readonly lines?: number
}

/** Text from elsewhere. A long one is collapsed with its size, and expands in place. */
export function LongText({ text, max = maxCharacters, lines = maxLines }: Props) {
  const [isOpen, setOpen] = useState(false)
  const short = shorten(text, max, lines)
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

function shorten(text: string, max: number, lines: number): string {
  const first = text.slice(0, max + 1).split('\n')
  const short = first.length > lines ? first.slice(0, lines).join('\n') : text
  return short.length > max ? short.slice(0, max) : short
}
