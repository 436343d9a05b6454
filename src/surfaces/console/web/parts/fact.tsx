import type { ComponentChildren } from 'preact'

/** A name and its value, in a `dl` of the class `fields`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
