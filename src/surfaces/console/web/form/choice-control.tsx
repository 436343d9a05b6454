import { useRef, useState } from 'preact/hooks'
import type { Field } from './describe-field.ts'
import { type ControlProps, FieldControl } from './field.tsx'
import { toId } from './form-state.ts'
import { findBranch, toStart, type Value } from './form-value.ts'

/** One of several forms. What was typed in one is kept while another is tried. */
export function ChoiceControl(props: ControlProps & { readonly field: Field & { readonly kind: 'choice' } }) {
  const { at, field, value, name, isRequired, onChange } = props
  const [chosen, setChosen] = useState<number | null>(null)
  const kept = useRef(new Map<number, Value>())
  const isAbsent = value === undefined && chosen === null && !isRequired
  const found = chosen ?? findBranch(field.branches, value, at.form.schema)
  const branch = isAbsent ? undefined : field.branches[found]
  const choose = (index: number) => {
    if (!isAbsent) kept.current.set(found, value)
    setChosen(index === -1 ? null : index)
    if (index === -1) return onChange(undefined)
    const start = kept.current.get(index) ?? toStart(field.branches[index]!.schema, at.form.schema)
    onChange(start)
  }
  return (
    <>
      <select
        id={`${toId(at.pointer)}:form`}
        aria-label={`form of ${name ?? 'the input'}`}
        value={String(isAbsent ? -1 : found)}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      >
        {(!isRequired || found === -1) && <option value="-1">{isRequired ? 'other' : 'not given'}</option>}
        {field.branches.map((one, index) => (
          <option key={index} value={String(index)}>
            {one.label}
          </option>
        ))}
      </select>
      {!isAbsent && (
        <FieldControl key={found} {...{ at, value, onChange }} schema={branch?.schema ?? true} name={null} isRequired />
      )}
    </>
  )
}
