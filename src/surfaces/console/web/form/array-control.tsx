import { useRef } from 'preact/hooks'
import type { JsonValue } from '../../../../contract/json.ts'
import { pointerTo } from '../../../../contract/schema/json-pointer.ts'
import { plural } from '../parts/format.ts'
import type { Field } from './describe-field.ts'
import { type ControlProps, FieldControl } from './field.tsx'
import { moveItem, toItem } from './form-value.ts'

const maxShown = 100

/** Items that can be added, removed and moved. */
export function ArrayControl(props: ControlProps & { readonly field: Field & { readonly kind: 'array' } }) {
  const { at, field, value, name, onChange } = props
  const items = Array.isArray(value) ? value : []
  const keys = useItemKeys(items.length)
  const change = (next: JsonValue[], nextKeys: readonly number[]) => {
    keys.current = nextKeys
    onChange(next)
  }
  const move = (from: number, to: number) => change(moveItem(items, from, to), moveItem([...keys.current], from, to) as number[]) // biome-ignore format: one line
  return (
    <>
      <ol class="items" aria-label={name ?? 'items'}>
        {items.slice(0, maxShown).map((item, index) => (
          <li key={keys.current[index]} class="entry">
            <FieldControl
              at={{ ...at, pointer: pointerTo(at.pointer, index) }}
              schema={field.itemAt(index)}
              name={String(index + 1)}
              isRequired
              isItem
              value={item}
              onChange={(part) => onChange(items.map((one, n) => (n === index ? (part ?? null) : one)))}
            />
            <span class="item-actions">
              <button
                type="button"
                class="small"
                aria-label={`move item ${index + 1} up`}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              >
                ↑
              </button>
              <button
                type="button"
                class="small"
                aria-label={`move item ${index + 1} down`}
                disabled={index === items.length - 1}
                onClick={() => move(index, index + 1)}
              >
                ↓
              </button>
              <button
                type="button"
                class="small"
                aria-label={`remove item ${index + 1}`}
                onClick={() =>
                  change(
                    items.filter((_, n) => n !== index),
                    keys.current.filter((_, n) => n !== index),
                  )
                }
              >
                remove
              </button>
            </span>
          </li>
        ))}
      </ol>
      {items.length > maxShown && <p class="dim">{plural(items.length - maxShown, 'more item')}: edit them as JSON.</p>}
      <button
        type="button"
        class="small"
        disabled={items.length >= field.max}
        onClick={() => onChange([...items, toItem(field.itemAt(items.length), at.form.schema)])}
      >
        add item
      </button>
      {items.length >= field.max && <span class="dim"> The list is full.</span>}
    </>
  )
}

/** Items have no identity of their own; these keys move with them, so that half-typed text and choices do too. */
function useItemKeys(count: number) {
  const keys = useRef<readonly number[]>([])
  const next = useRef(0)
  if (keys.current.length > count) keys.current = keys.current.slice(0, count)
  while (keys.current.length < count) keys.current = [...keys.current, next.current++]
  return keys
}
