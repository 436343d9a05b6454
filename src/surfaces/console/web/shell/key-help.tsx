import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Key, listKeys } from './keys.ts'

const eventName = 'toolpact-key-help'

export function openKeyHelp(): void {
  dispatchEvent(new Event(eventName))
}

/** The list of the keys that work on the current page. */
export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null)
  const keys = useSignal<readonly Key[]>([])
  useEffect(() => {
    const open = () => {
      keys.value = listKeys()
      dialog.current?.showModal()
    }
    addEventListener(eventName, open)
    return () => removeEventListener(eventName, open)
  }, [])
  return (
    <dialog ref={dialog} class="key-help" aria-labelledby="key-help-title">
      <h2 id="key-help-title">Keys</h2>
      <dl>
        {keys.value.map((key) => (
          <div key={key.key} class="key">
            <dt>
              <kbd>{key.key}</kbd>
            </dt>
            <dd>{key.about}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
