import { useEffect, useState } from 'preact/hooks'
import type { JsonValue } from '../../../../contract/json.ts'
import type { Problem } from '../../api/tools.ts'
import { LongText } from '../parts/long-text.tsx'
import { ArrayControl } from './array-control.tsx'
import { ChoiceControl } from './choice-control.tsx'
import { describeField, type Field } from './describe-field.ts'
import { type FormState, readText, setFault, toId, toText } from './form-state.ts'
import { canShow, isSame, problemsAt, toItem, toNumber, type Value } from './form-value.ts'
import { JsonEditor } from './json-editor.tsx'
import { ObjectControl } from './object-control.tsx'

/** Where a field is. */
interface Place {
  readonly form: FormState
  readonly problems: readonly Problem[]
  readonly pointer: string
}

export interface FieldProps {
  readonly at: Place
  readonly schema: JsonValue
  /** Null: without a label of its own, such as the whole input or the branch of a choice. */
  readonly name: string | null
  readonly isRequired: boolean
  /** An item or entry that was added: it is given, so nothing is required of the person. */
  readonly isItem?: boolean
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** What a control of one kind is handed. */
export interface ControlProps extends FieldProps {
  readonly field: Field
}

/** A part of the input: its name, what it means, its control and what is wrong with it. */
export function FieldControl(props: FieldProps) {
  const { at, schema, name, isRequired, isItem = false, value, onChange } = props
  const field = describeField(schema, at.form.schema)
  const isShown = canShow(field, value)
  const isGroup = isShown && (field.kind === 'object' || field.kind === 'array' || field.kind === 'choice')
  const isAbsent = isGroup && value === undefined && !isRequired && field.kind !== 'choice'
  const control = (
    <>
      {isAbsent ? (
        <button type="button" class="small" onClick={() => onChange(toItem(schema, at.form.schema))}>
          add <bdi>{name}</bdi>
        </button>
      ) : value === null && field.isNullable ? null : (
        <Control {...props} field={isShown ? field : { ...field, kind: 'json' }} />
      )}
      {!isShown && <p class="dim">This value does not fit the form, so it is shown as JSON.</p>}
      {field.isNullable && (
        <label class="null">
          <input
            type="checkbox"
            checked={value === null}
            onChange={(event) => onChange(event.currentTarget.checked ? null : undefined)}
          />{' '}
          null
        </label>
      )}
      <Problems problems={problemsAt(at.problems, at.pointer, !isGroup || isAbsent)} id={toId(at.pointer)} />
    </>
  )
  if (name === null) return control
  const label = (
    <>
      <bdi>{name}</bdi>
      {isRequired && !isItem && <b class="required"> required</b>}
    </>
  )
  const about = <About field={field} id={toId(at.pointer)} isText={value === undefined} />
  if (!isGroup)
    return (
      <div class="field">
        <label for={toId(at.pointer)}>{label}</label>
        {about}
        {control}
      </div>
    )
  return (
    <fieldset class="field" id={toId(at.pointer)} tabIndex={-1}>
      <legend>
        {label}{' '}
        {!isRequired && !isAbsent && field.kind !== 'choice' && (
          <button type="button" class="small" aria-label={`remove ${name}`} onClick={() => onChange(undefined)}>
            remove
          </button>
        )}
      </legend>
      {about}
      {control}
    </fieldset>
  )
}

function Control(props: ControlProps) {
  switch (props.field.kind) {
    case 'object':
      return <ObjectControl {...props} field={props.field} />
    case 'array':
      return <ArrayControl {...props} field={props.field} />
    case 'choice':
      return <ChoiceControl {...props} field={props.field} />
    case 'options':
      return <OptionsControl {...props} field={props.field} />
    case 'text':
      return <TextControl {...props} />
    case 'number':
      return <NumberControl {...props} />
    case 'json':
      return <JsonControl {...props} />
  }
}

function OptionsControl({ field, ...props }: ControlProps & { readonly field: Field & { readonly kind: 'options' } }) {
  const { value, isRequired, onChange } = props
  const chosen = field.options.findIndex((option) => isSame(option, value))
  if (isRequired && field.options.length === 1 && chosen === 0)
    return (
      <output id={toId(props.at.pointer)}>
        <code>{toOption(field.options[0]!)}</code>
      </output>
    )
  const other = field.default === undefined ? 'not given' : `default: ${toOption(field.default)}`
  return (
    <select
      {...toAttributes(props)}
      value={String(chosen)}
      onChange={(event) => onChange(field.options[Number(event.currentTarget.value)])}
    >
      {(!isRequired || chosen === -1) && <option value="-1">{isRequired ? 'choose…' : other}</option>}
      {field.options.map((option, index) => (
        <option key={index} value={String(index)}>
          {toOption(option)}
        </option>
      ))}
    </select>
  )
}

function toOption(option: JsonValue): string {
  const text = typeof option === 'string' && option !== '' ? option : JSON.stringify(option)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** Emptied text is no text where it may be left out, and empty text where it is required. */
function TextControl(props: ControlProps) {
  const { field, value, isRequired, onChange } = props
  const text = typeof value === 'string' ? value : ''
  const shared = {
    ...toAttributes(props),
    value: text,
    placeholder: typeof field.default === 'string' ? `default: ${field.default}` : undefined,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => {
      const typed = event.currentTarget.value
      onChange(typed === '' && !isRequired ? undefined : typed)
    },
  }
  if (field.kind === 'text' && field.isLine && !text.includes('\n')) return <input type="text" {...shared} />
  return <textarea {...shared} class="wide grows" rows={Math.min(12, text.split('\n').length)} />
}

/** Holds its text, since `1.` is on the way to `1.5`. */
function NumberControl(props: ControlProps) {
  const { field, value, onChange } = props
  const [text, setText] = useState('')
  const shown = isSame(toNumber(text) ?? null, value ?? null) ? text : String(value ?? '')
  return (
    <input
      type="text"
      inputMode="decimal"
      {...toAttributes(props)}
      value={shown}
      placeholder={field.default === undefined ? undefined : `default: ${String(field.default)}`}
      onInput={(event) => {
        setText(event.currentTarget.value)
        onChange(toNumber(event.currentTarget.value))
      }}
    />
  )
}

function JsonControl({ at, value, onChange, name }: ControlProps) {
  const [text, setText] = useState(toText(value))
  const fault = at.form.faults.value[at.pointer]
  const isOwn = fault !== undefined || isSame(readText(text).value, value)
  // A part that goes away takes its fault along.
  useEffect(() => () => setFault(at.form, at.pointer, undefined), [at.form, at.pointer])
  return (
    <JsonEditor
      id={toId(at.pointer)}
      label={`${name ?? 'input'} as JSON`}
      text={isOwn ? text : toText(value)}
      fault={fault}
      rows={3}
      onText={(typed) => {
        setText(typed)
        const read = readText(typed)
        setFault(at.form, at.pointer, read.fault)
        if (read.fault === undefined) onChange(read.value)
      }}
    />
  )
}

function About({ field, id, isText }: { readonly field: Field; readonly id: string; readonly isText: boolean }) {
  const showsDefault = isText && field.default !== undefined && typeof field.default === 'object'
  const hints = [...field.hints, ...(showsDefault ? [`default: ${JSON.stringify(field.default)}`] : [])]
  if (field.description === undefined && hints.length === 0) return null
  return (
    <p class="dim about" id={`${id}:about`}>
      {field.description !== undefined && <LongText text={field.description} />}{' '}
      {hints.length > 0 && <LongText text={`(${hints.join('; ')})`} max={200} />}
    </p>
  )
}

function Problems({ problems, id }: { readonly problems: readonly Problem[]; readonly id: string }) {
  if (problems.length === 0) return null
  return (
    <ul class="no" id={`${id}:problems`}>
      {problems.map(({ pointer, message }) => (
        <li key={pointer + message}>
          <span aria-hidden="true">✕</span> <bdi>{message}</bdi>
        </li>
      ))}
    </ul>
  )
}

function toAttributes({ at, name, isRequired }: Omit<ControlProps, 'field'>) {
  const id = toId(at.pointer)
  const isWrong = problemsAt(at.problems, at.pointer, true).length > 0
  return {
    id,
    dir: 'auto',
    spellcheck: false,
    autocomplete: 'off',
    'aria-required': isRequired,
    'aria-invalid': isWrong,
    'aria-describedby': `${id}:about ${id}:problems`,
    ...(name === null && {
      'aria-label': at.pointer === '' ? 'input' : at.pointer.slice(at.pointer.lastIndexOf('/') + 1),
    }),
  } as const
}
