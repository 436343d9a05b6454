import { useEffect, useRef } from 'preact/hooks'

export interface Key {
  readonly key: string
  /** For the list of keys. */
  readonly about: string
  readonly run: () => void
  /** Holding it down repeats it; never for a key that answers something. */
  readonly repeats?: boolean
}

const layers: { keys: readonly Key[] }[] = []

/** These keys work while the component is shown. Of two components with the same key, the one shown last gets it. */
export function useKeys(keys: readonly Key[]): void {
  const layer = useRef({ keys })
  layer.current.keys = keys
  useEffect(() => {
    const mine = layer.current
    layers.push(mine)
    return () => void layers.splice(layers.indexOf(mine), 1)
  }, [])
}

/** The keys that work now, without those that another hides. */
export function listKeys(): readonly Key[] {
  const all = layers.flatMap((layer) => layer.keys)
  return all.filter((key, n) => all.findLastIndex((other) => other.key === key.key) === n)
}

export function startKeys(): void {
  addEventListener('keydown', (event) => {
    const target = event.target instanceof HTMLElement ? event.target : document.body
    if (event.key === 'Escape' && isField(target)) return target.blur()
    if (event.ctrlKey || event.metaKey || event.altKey || isField(target) || document.querySelector('dialog[open]'))
      return
    // The browser itself follows a focused link and presses a focused button.
    if (event.key === 'Enter' && target.closest('a, button, summary, label')) return
    const key = listKeys().find((one) => one.key === event.key)
    if (key === undefined) return
    event.preventDefault()
    if (!event.repeat || key.repeats) key.run()
  })
}

function isField(element: HTMLElement): boolean {
  if (element instanceof HTMLInputElement) return !/^(?:checkbox|radio|button|submit)$/.test(element.type)
  return element.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(element.tagName)
}
