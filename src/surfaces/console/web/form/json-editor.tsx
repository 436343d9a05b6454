interface Props {
  readonly id: string
  readonly label: string
  readonly text: string
  readonly fault: string | undefined
  readonly rows: number
  readonly onText: (text: string) => void
}

/** JSON as text, with the position of a syntax error. */
export function JsonEditor({ id, label, text, fault, rows, onText }: Props) {
  return (
    <>
      <textarea
        id={id}
        class="mono wide"
        aria-label={label}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}:fault`}
        rows={rows}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {fault !== undefined && (
        <p class="no" id={`${id}:fault`}>
          <span aria-hidden="true">✕</span> <bdi>{fault}</bdi>
        </p>
      )}
    </>
  )
}
