import type { ComponentChildren } from 'preact'

interface Props {
  readonly list: ComponentChildren
  /** Null: nothing is selected. */
  readonly detail: ComponentChildren | null
  /** What the detail pane shows then. */
  readonly hint: ComponentChildren
  /** The way back to the list, for a screen that shows one pane at a time. */
  readonly back: { readonly href: string; readonly text: string }
}

/** A list beside the detail of what is selected; on a phone, one of the two. */
export function Panes({ list, detail, hint, back }: Props) {
  return (
    <div class={detail === null ? 'panes' : 'panes has-detail'}>
      <div class="pane-list">{list}</div>
      <div class="pane-detail">
        {detail !== null && (
          <a class="pane-back" href={back.href}>
            ← {back.text}
          </a>
        )}
        {detail ?? hint}
      </div>
    </div>
  )
}
