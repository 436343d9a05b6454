import type { ComponentChildren } from 'preact'
import { Command } from './copy.tsx'

/** In place of an empty list: what to do next. */
export function Empty(props: {
  readonly title: string
  readonly command?: string | undefined
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <h2>{props.title}</h2>
      {props.children !== undefined && <p>{props.children}</p>}
      {props.command !== undefined && <Command text={props.command} />}
    </div>
  )
}
