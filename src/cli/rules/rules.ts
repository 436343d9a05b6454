import type { Toolpact } from '../../app/app.ts'
import { printableJson } from '../../contract/text/printable.ts'
import type { ClockReset } from '../../runtime/rules/latest-time.ts'
import type { Repaired } from '../../runtime/storage/operator-state.ts'
import { type Command, type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import { addRule } from './add.ts'
import { findRule } from './find-rule.ts'
import { listRules } from './list.ts'
import { simulate } from './simulate.ts'
import { testRules } from './test-rules.ts'

export const rules: Command = {
  usage: [
    'rules [list] [--tool TOOL]',
    'rules add TOOL PATTERN [--action …] [--scope …] [--expires …]',
    'rules remove | enable | disable ID …',
    'rules test TOOL [key=value …] | --input JSON',
    'rules simulate [TOOL PATTERN] [--remove ID] [--last N]',
    'rules repair [--discard] [--reset-clock]',
  ],
  about: `Rules decide about calls before you are asked: deny overrides ask, ask overrides allow, and allow the contract.
PATTERN is 'command: git status', 'path: notes/**/*.txt' or 'host: docs.python.org', or a regular expression over the
canonical JSON of the whole input. A rule that allows must spell out every key, and its wildcards stay within the value
of their key. If in doubt, a call asks. A unique prefix of an id is enough. rules test explains what would happen to a
call, and rules simulate which of the last calls a change would decide differently.`,
  options: {
    tool: { type: 'string', value: 'TOOL', about: 'list: only rules of this tool' },
    action: { type: 'string', value: 'allow|ask|deny', about: 'add: what the rule does (default: allow)' },
    scope: {
      type: 'string',
      value: 'workspace|everywhere|session',
      about: 'add: where it holds (default: workspace)',
    },
    session: { type: 'string', value: 'ID', about: 'add: the session of a rule with --scope session' },
    expires: { type: 'string', value: 'TIME', about: 'add: when it ends: 30m, 2h, 7d, or an ISO date and time' },
    description: { type: 'string', value: 'TEXT', about: 'add: what it is for' },
    match: {
      type: 'string',
      value: 'JSON',
      multiple: true,
      about: 'add: an input that it must match; may be repeated',
    },
    'no-match': { type: 'string', value: 'JSON', multiple: true, about: 'add: an input that it must not match' },
    remove: { type: 'string', value: 'ID', multiple: true, about: 'simulate: without this rule; may be repeated' },
    last: { type: 'string', value: 'N', about: 'simulate: how many calls to look back (default: 500, at most 5000)' },
    discard: { type: 'boolean', about: 'repair: start again without rules, denials included' },
    'reset-clock': { type: 'boolean', about: 'repair: forget a time noted while the clock was wrong' },
    input: { type: 'string', value: 'JSON', about: 'test: the whole input: JSON, @FILE for a file, - for stdin' },
  },
  examples: [
    ["toolpact rules add run_in_terminal 'command: git status'", 'run this command without asking'],
    ["toolpact rules add create_file 'path: notes/**/*.txt' --expires 7d", 'create notes without asking, for a week'],
    [
      String.raw`toolpact rules add create_file '{"content":".*","path":"notes/[^/]*\.txt"}'`,
      'create notes without asking',
    ],
    ["toolpact rules add run_in_terminal 'command: git push' --action deny", 'never push'],
    ["toolpact rules simulate fetch_webpage 'host: docs.python.org'", 'what it would have changed'],
    ['toolpact rules test create_file path=notes/a.txt content=x', 'explain the decision'],
    ['toolpact rules disable rule-3f2a91c4', 'until enabled again'],
    ['toolpact rules --json', 'for a script'],
  ],
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
    refuseOthers(action, request)
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

const ownOptions: { readonly [action: string]: readonly string[] } = {
  list: ['tool'],
  add: ['action', 'scope', 'session', 'expires', 'description', 'match', 'no-match'],
  test: ['input'],
  simulate: ['action', 'scope', 'session', 'expires', 'remove', 'last'],
  repair: ['discard', 'reset-clock'],
}

/** Refuses options that would be ignored, because they may be meant to narrow the rule. */
function refuseOthers(action: string, { options }: Request) {
  const own = ownOptions[action] ?? []
  const found = Object.values(ownOptions)
    .flat()
    .find((name) => !own.includes(name) && Object.hasOwn(options, name))
  if (found !== undefined) throw new UsageError(`rules ${action} does not take --${found}.`)
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
