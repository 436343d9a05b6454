import type { RuleInput } from '../../api/rules.ts'

interface Props {
  readonly id: string
  readonly rule: RuleInput
  readonly onChange: (rule: RuleInput) => void
}

/** Tool, action and pattern of a rule. */
export function RuleFields({ id, rule, onChange }: Props) {
  return (
    <>
      <div class="field">
        <label for={`${id}-tool`}>Tool</label>
        <p class="dim about">
          Its full id, such as <code>workspace.run_in_terminal</code>.
        </p>
        <input
          id={`${id}-tool`}
          type="text"
          class="mono"
          spellcheck={false}
          autocomplete="off"
          value={rule.tool}
          onInput={(event) => onChange({ ...rule, tool: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`${id}-pattern`}>Calls</label>
        <p class="dim about" id={`${id}-about`}>
          <code>command: git status</code>, <code>{'path: notes/**/*.txt'}</code>, <code>host: docs.python.org</code>,{' '}
          <code>*</code> for every call, or the strict form.
        </p>
        <textarea
          id={`${id}-pattern`}
          class="mono wide grows"
          rows={1}
          spellcheck={false}
          aria-describedby={`${id}-about`}
          value={rule.pattern}
          onInput={(event) => onChange({ ...rule, pattern: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`${id}-who`}>Whose</label>
        <p class="dim about" id={`${id}-who-about`}>
          Callers, and <code>group:NAME</code>, separated by commas. Empty: every caller.
        </p>
        <input
          id={`${id}-who`}
          type="text"
          class="mono"
          spellcheck={false}
          autocomplete="off"
          aria-describedby={`${id}-who-about`}
          value={rule.who?.join(',') ?? ''}
          onInput={(event) => onChange(withWho(rule, event.currentTarget.value))}
        />
      </div>
      <div class="field">
        <label for={`${id}-action`}>Then</label>
        <select
          id={`${id}-action`}
          value={rule.action}
          onChange={(event) => onChange({ ...rule, action: event.currentTarget.value as RuleInput['action'] })}
        >
          <option value="ask">ask a person</option>
          <option value="deny">deny</option>
          <option value="allow">allow without asking</option>
        </select>
      </div>
    </>
  )
}

function withWho({ who: _, ...rule }: RuleInput, text: string): RuleInput {
  return text.trim() === '' ? rule : { ...rule, who: text.split(',').map((name) => name.trimStart()) }
}

export function isComplete(rule: RuleInput): boolean {
  return rule.tool.trim() !== '' && rule.pattern.trim() !== ''
}
