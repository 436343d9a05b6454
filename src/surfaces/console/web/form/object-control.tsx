import { useState } from 'preact/hooks'
import { isObject } from '../../../../contract/json.ts'
import { pointerTo } from '../../../../contract/schema/json-pointer.ts'
import type { Field } from './describe-field.ts'
import { type ControlProps, FieldControl } from './field.tsx'
import { setProperty, toItem } from './form-value.ts'

/** The declared properties, required ones first as declared, then entries under other names. */
export function ObjectControl(props: ControlProps & { readonly field: Field & { readonly kind: 'object' } }) {
  const { at, field, value, onChange } = props
  const object = isObject(value) ? value : {}
  const known = new Set(field.properties.map((property) => property.name))
  const extra = Object.keys(object).filter((name) => !known.has(name))
  const others = field.others === false ? true : field.others
  const required = field.properties.filter((property) => property.isRequired)
  const optional = field.properties.filter((property) => !property.isRequired)
  return (
    <div class="fields-of">
      {[...required, ...optional].map(({ name, schema, isRequired }) => (
        <FieldControl
          key={name}
          at={{ ...at, pointer: pointerTo(at.pointer, name) }}
          schema={schema}
          name={name}
          isRequired={isRequired}
          value={Object.hasOwn(object, name) ? object[name] : undefined}
          onChange={(part) => onChange(setProperty(value, name, part))}
        />
      ))}
      {extra.map((name) => (
        <div class="entry" key={name}>
          <FieldControl
            at={{ ...at, pointer: pointerTo(at.pointer, name) }}
            schema={others}
            name={name}
            isRequired
            isItem
            value={object[name]}
            onChange={(part) => onChange(setProperty(value, name, part ?? null))}
          />
          <button
            type="button"
            class="small"
            aria-label={`remove ${name}`}
            onClick={() => onChange(setProperty(value, name, undefined))}
          >
            remove
          </button>
        </div>
      ))}
      {field.others !== false && (
        <NewEntry
          taken={(name) => known.has(name) || Object.hasOwn(object, name)}
          onAdd={(name) => onChange(setProperty(value, name, toItem(others, at.form.schema)))}
        />
      )}
    </div>
  )
}

function NewEntry({ taken, onAdd }: { taken: (name: string) => boolean; onAdd: (name: string) => void }) {
  const [name, setName] = useState('')
  // The server refuses this name, since it would change the object itself.
  const isUsable = name !== '' && name !== '__proto__' && !taken(name)
  const add = () => {
    if (!isUsable) return
    onAdd(name)
    setName('')
  }
  return (
    <p class="actions">
      <input
        type="text"
        aria-label="Name of a new entry"
        placeholder="name of a new entry"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <button type="button" class="small" disabled={!isUsable} onClick={add}>
        add entry
      </button>
      {name !== '' && !isUsable && <span class="dim">This name is taken.</span>}
    </p>
  )
}
