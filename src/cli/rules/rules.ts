import type { Toolpact } from '../../app/app.ts'
import { printableJson } from '../../contract/text/printable.ts'
import type { ClockReset } from '../../runtime/rules/latest-time.ts'
import type { Repaired } from '../../runtime/storage/operator-state.ts'
import { type ActionHelp, type Command, type OptionTable, type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import { addRule } from './add.ts'
import { findRule } from './find-rule.ts'
import { listRules } from './list.ts'
import { simulate } from './simulate.ts'
import { testRules } from './test-rules.ts'

/** Options of a rule that is added, or tried. */
const proposed = {
  action: { type: 'string', value: 'allow|ask|deny', about: 'what the rule does (default: allow)' },
  scope: { type: 'string', value: 'workspace|everywhere|session', about: 'where it holds (default: workspace)' },
  session: { type: 'string', value: 'ID', about: 'the session of a rule with --scope session' },
  who: {
    type: 'string',
    value: 'NAME',
    multiple: true,
    about: 'a caller, or group:NAME, that it is for; local is you (default: every caller); may be repeated',
  },
  expires: { type: 'string', value: 'TIME', about: 'when it ends: 30m, 2h, 7d, or an ISO date and time' },
} as const satisfies OptionTable

export const rules: Command = {
  usage: ['rules [list] [--tool TOOL]', 'rules ACTION …'],
  about: `Rules decide about calls before you are asked: deny overrides ask, ask overrides allow, and allow the contract. If in
doubt, a call asks. Without an action, lists the rules with their state and uses.`,
  options: { tool: { type: 'string', value: 'TOOL', about: 'only rules of this tool' } },
  examples: [
    ['toolpact rules --tool run_in_terminal', 'the rules of one tool'],
    ["toolpact rules add run_in_terminal 'command: git status'", 'run this command without asking'],
  ],
  actions: {
    add: {
      summary: 'add a rule',
      usage: ['rules add TOOL PATTERN [options]'],
      about: `PATTERN is 'command: git status', 'path: notes/**/*.txt' or 'host: docs.python.org', or a regular expression over the
canonical JSON of the whole input. A rule that allows must spell out every key, and its wildcards stay within the value
of their key.`,
      options: {
        ...proposed,
        description: { type: 'string', value: 'TEXT', about: 'what it is for' },
        match: { type: 'string', value: 'JSON', multiple: true, about: 'an input that it must match; may be repeated' },
        'no-match': { type: 'string', value: 'JSON', multiple: true, about: 'an input that it must not match' },
      },
      examples: [
        [
          "toolpact rules add create_file 'path: notes/**/*.txt' --expires 7d",
          'create notes without asking, for a week',
        ],
        ["toolpact rules add run_in_terminal 'command: git push' --action deny", 'never push'],
        ["toolpact rules add run_in_terminal 'command: git status' --who group:ops", 'for callers of a group'],
        [
          String.raw`toolpact rules add create_file '{"content":".*","path":"notes/[^/]*\.txt"}'`,
          'the same as a regular expression',
        ],
      ],
    },
    remove: toChange('remove', 'remove rules', 'Removes rules.'),
    enable: toChange('enable', 'enable rules again', 'Enables rules again that were disabled.'),
    disable: toChange('disable', 'disable rules', 'Disables rules until they are enabled again.'),
    test: {
      summary: 'explain the decision about a call',
      usage: ['rules test TOOL [key=value …]', 'rules test TOOL --input JSON'],
      about: 'Says what would happen to a call, by which rule, and what every other rule says. Nothing is called.',
      options: {
        input: { type: 'string', value: 'JSON', about: 'the whole input: JSON, @FILE for a file, - for stdin' },
        who: {
          type: 'string',
          value: 'NAME',
          multiple: true,
          about: 'the caller, and group:NAME for each of its groups (default: you)',
        },
      },
      examples: [['toolpact rules test create_file path=notes/a.txt content=x', 'explain the decision']],
    },
    simulate: {
      summary: 'what a change would have decided differently',
      usage: ['rules simulate [TOOL PATTERN] [--remove ID] [options]'],
      about: 'Says which of the last calls would be decided differently with a rule that is added or removed.',
      options: {
        ...proposed,
        remove: { type: 'string', value: 'ID', multiple: true, about: 'without this rule; may be repeated' },
        last: { type: 'string', value: 'N', about: 'how many calls to look back (default: 500, at most 5000)' },
      },
      examples: [["toolpact rules simulate fetch_webpage 'host: docs.python.org'", 'what it would have changed']],
    },
    repair: {
      summary: 'restore rules that cannot be read',
      usage: ['rules repair [--discard] [--reset-clock]'],
      about: 'Restores the last good version of a rules file that cannot be read. The broken file is kept.',
      options: {
        discard: { type: 'boolean', about: 'start again without rules, denials included' },
        'reset-clock': { type: 'boolean', about: 'forget a time noted while the clock was wrong' },
      },
      examples: [['toolpact rules repair', 'restore the last good version']],
    },
  },
  pages: ([action]) => action === undefined || ['list', 'test', 'simulate'].includes(action),
  next([action, ...words]) {
    if (action === undefined) return Object.keys(actions)
    if (action === 'test' && words[0] !== undefined) return { parametersOf: words[0] }
    if (action === 'add' || action === 'test' || action === 'simulate') return words.length === 0 ? 'tool' : undefined
    return action === 'list' || action === 'repair' ? undefined : 'rule'
  },
  async run(request) {
    const [action = 'list', ...rest] = request.positionals
    if (!Object.hasOwn(actions, action))
      throw new UsageError(`rules has no action '${action}'.`, `Use ${Object.keys(actions).join(', ')}.`)
    const toolpact = await request.open()
    try {
      return await actions[action]!(toolpact, request, rest)
    } finally {
      await toolpact.close()
    }
  },
}

type Action = (toolpact: Toolpact, request: Request, words: readonly string[]) => Promise<number>

const actions: { readonly [name: string]: Action } = {
  list: listRules,
  add: addRule,
  remove: (toolpact, request, ids) =>
    changeEach(toolpact, request, { ids, done: 'Removed', change: (id) => toolpact.rules.remove(id) }),
  enable: (toolpact, request, ids) =>
    changeEach(toolpact, request, { ids, done: 'Enabled', change: (id) => toolpact.rules.setDisabled(id, false) }),
  disable: (toolpact, request, ids) =>
    changeEach(toolpact, request, { ids, done: 'Disabled', change: (id) => toolpact.rules.setDisabled(id, true) }),
  test: testRules,
  simulate,
  repair: repairRules,
}

function toChange(name: string, summary: string, about: string): ActionHelp {
  return {
    summary,
    usage: [`rules ${name} ID …`],
    about: `${about} A unique prefix of an id is enough.`,
    options: {},
    examples: [[`toolpact rules ${name} rule-3f2a91c4`, summary.replace('rules', 'a rule')]],
  }
}

/** Restores the last good version of the rules. Keeps the broken file for inspection. */
async function repairRules({ rules }: Toolpact, { options, terminal }: Request) {
  const repaired = await rules.repair(options.discard)
  const clock = options['reset-clock'] ? await rules.resetClock() : undefined
  if (options.json) terminal.print(printableJson({ ...repaired, ...(clock && { clock }) }))
  else if (repaired.kept === undefined) terminal.print('The rules file is valid. Nothing was changed.')
  else terminal.print([paint('green', '✓ '), `${toRepairedText(repaired, options.discard)} The broken file is ${repaired.kept}`]) // biome-ignore format: one line
  if (clock && !options.json) terminal.print(toClockText(clock))
  return exitCodes.success
}

function toClockText({ noted, now, isReset }: ClockReset): Line {
  const times = `The latest time noted was ${noted}, and the clock says ${now}.`
  if (!isReset) return `${times} Nothing was reset.`
  return [paint('green', '✓ '), `${times} The noted time was reset. Restart running servers.`]
}

function toRepairedText({ rules = 0, discarded }: Repaired, isDiscarded = false): string {
  const toCount = (count: number) => (count === 1 ? '1 rule' : `${count} rules`)
  if (!isDiscarded) return `Restored ${toCount(rules)}.`
  const what = discarded === undefined ? 'the rules, which could not be read' : `${toCount(discarded)} of the last good version` // biome-ignore format: one line
  return `Discarded ${what}: there are no rules now.`
}

interface Change {
  readonly ids: readonly string[]
  readonly done: string
  readonly change: (id: string) => Promise<boolean>
}

/** Looks up all ids before changing the first. */
async function changeEach(toolpact: Toolpact, { options, terminal }: Request, { ids, done, change }: Change) {
  if (ids.length === 0) throw new UsageError('Give the id of a rule.', 'Run `toolpact rules` to see them.')
  const known = (await toolpact.rules.list()).map(({ rule }) => rule)
  const chosen = ids.map((id) => findRule(known, id))
  for (const { id, tool, pattern } of chosen) {
    if (!(await change(id))) throw new UsageError(`The rule ${id} is gone.`, 'Run `toolpact rules` to see the rest.')
    if (!options.json) terminal.print([paint('green', '✓ '), `${done} ${id}: ${tool} ${pattern}`])
  }
  if (options.json) terminal.print(printableJson(chosen.map(({ id }) => id)))
  return exitCodes.success
}
