import type { Problem } from '../../api/tools.ts'
import { plural } from '../parts/format.ts'
import { FieldControl } from './field.tsx'
import { type FormState, switchView, toId, typeText } from './form-state.ts'
import { stillApplying, type Value } from './form-value.ts'
import { JsonEditor } from './json-editor.tsx'

interface Props {
  readonly form: FormState
  /** What the server found wrong, and the value that it saw. */
  readonly problems?: readonly Problem[]
  readonly seen?: Value
}

/** A form for a JSON Schema, or the same value as JSON. The server validates: the form only helps to write. */
export function SchemaForm({ form, problems = [], seen }: Props) {
  const current = stillApplying(problems, seen, form.value.value)
  const isStuck = Object.keys(form.faults.value).length > 0
  const isJson = form.text.value !== null
  return (
    <div class="form">
      <div class="form-views">
        {(['Form', 'JSON'] as const).map((name) => {
          const isShown = (name === 'JSON') === isJson
          return (
            <button
              key={name}
              type="button"
              aria-pressed={isShown}
              disabled={!isShown && isStuck}
              onClick={() => !isShown && switchView(form)}
            >
              {name}
            </button>
          )
        })}
        {isStuck && <span class="dim">Correct the JSON to switch: nothing typed is lost.</span>}
      </div>
      {current.length > 0 && <ProblemList problems={current} isJson={isJson} />}
      {isJson ? (
        <JsonEditor
          id={toId('')}
          label="Input as JSON"
          text={form.text.value!}
          fault={form.faults.value['']}
          rows={12}
          onText={(text) => typeText(form, text)}
        />
      ) : (
        <FieldControl
          at={{ form, problems: current, pointer: '' }}
          schema={form.schema}
          name={null}
          isRequired
          value={form.value.value}
          onChange={(value) => {
            form.value.value = value
          }}
        />
      )}
    </div>
  )
}

/** All problems, each a link to its field: some may be about parts that have no field. */
function ProblemList({ problems, isJson }: { readonly problems: readonly Problem[]; readonly isJson: boolean }) {
  return (
    <div class="note no" role="alert">
      {plural(problems.length, 'problem')} in the input
      <ul>
        {problems.map(({ pointer, message }) => (
          <li key={pointer + message}>
            <button type="button" class="small" onClick={() => focusField(isJson ? '' : pointer)}>
              <bdi>{pointer === '' ? 'input' : pointer}</bdi>
            </button>{' '}
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Focuses the field, or the nearest one around it. */
function focusField(pointer: string): void {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const field = document.getElementById(toId(at))
    field?.focus()
    if (field || at === '') return
  }
}
