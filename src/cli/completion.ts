import type { Toolpact } from '../app/app.ts'
import type { JsonSchema } from '../contract/json.ts'
import { findHidden } from '../contract/text/hidden-characters.ts'
import {
  type Command,
  commandCaller,
  type NextWord,
  type OptionTable,
  type Request,
  UsageError,
} from './options/command.ts'
import { globalOptions, splitCommandLine, toOptionTable } from './options/command-line.ts'
import { exitCodes } from './terminal/exit-codes.ts'

export const completion: Command = {
  usage: ['completion bash | zsh | fish'],
  about: `Prints a shell script that completes commands, options, tools and their parameters, servers, and ids of rules, calls,
sessions and pending questions. Tools of MCP servers are completed as they were accepted or listed last; no server is started.`,
  options: {},
  examples: [
    ["echo 'source <(toolpact completion bash)' >> ~/.bashrc", 'bash'],
    ["echo 'source <(toolpact completion zsh)' >> ~/.zshrc", 'zsh, after compinit'],
    ['toolpact completion fish > ~/.config/fish/completions/toolpact.fish', 'fish'],
  ],
  next: (before) => (before.length === 0 ? Object.keys(scripts) : undefined),
  async run(request) {
    const { positionals, terminal } = request
    const [shell = '', ...words] = positionals
    // Called by the scripts with the words typed so far; the last one may be incomplete.
    if (shell === 'words') terminal.print(...(await complete(words, request)))
    else if (shell === 'bash-words') terminal.print(...(await completeForBash(words, request)))
    else if (Object.hasOwn(scripts, shell)) terminal.printExactly(scripts[shell]!)
    else throw new UsageError(`There is no completion for '${shell}'.`, `Use ${Object.keys(scripts).join(', ')}.`)
    return exitCodes.success
  },
}

async function complete(words: readonly string[], request: Request): Promise<readonly string[]> {
  const current = words.at(-1) ?? ''
  const found = await findNext(words.slice(0, -1), current, request)
  // Names of servers and tools are untrusted. The scripts quote the rest for their shell.
  return found.filter((word) => word.startsWith(current) && findHidden(word, 'exact') === undefined).sort()
}

/** bash splits words at `=` and `:`, and replaces only the last part. */
async function completeForBash(parts: readonly string[], request: Request): Promise<readonly string[]> {
  const words: string[] = []
  for (const [index, part] of parts.entries()) {
    const isJoined = /^[=:]+$/.test(part) || /^[=:]+$/.test(parts[index - 1] ?? '')
    if (isJoined && words.length > 0) words.push(`${words.pop()}${part}`)
    else words.push(part)
  }
  const current = words.at(-1) ?? ''
  const kept = Math.max(current.lastIndexOf('='), current.lastIndexOf(':')) + 1
  return (await complete(words, request)).map((word) => word.slice(kept))
}

async function findNext(before: readonly string[], current: string, request: Request): Promise<readonly string[]> {
  const { commands } = await import('./main.ts')
  const { name, rest } = splitCommandLine(before)
  const command = name !== undefined && Object.hasOwn(commands, name) ? await commands[name]!.load() : undefined
  const options: OptionTable = { ...globalOptions, ...(command && toOptionTable(command)) }
  const open = Object.entries(options).find(([option]) => before.at(-1) === `--${option}`)
  if (open?.[1].type === 'string') return findValues(open[0], open[1].value ?? '', request)
  if (current.startsWith('-')) return Object.keys(options).map((option) => `--${option}`)
  if (name === undefined) return Object.keys(commands)
  const given = rest.filter((word, index) => !word.startsWith('-') && !takesValue(rest[index - 1], options))
  return resolve(command?.next?.(given), { request, given, current })
}

function takesValue(word: string | undefined, options: OptionTable): boolean {
  return Object.entries(options).some(([name, { type }]) => word === `--${name}` && type === 'string')
}

async function findValues(option: string, shown: string, request: Request): Promise<readonly string[]> {
  const here = { request, given: [], current: '' }
  if (option === 'tool' || option === 'session') return resolve(option, here)
  if (option === 'toolset') return [...new Set((await findTools(request)).map(({ toolset }) => toolset))]
  return shown.includes('|') ? shown.split('|') : []
}

/** The newest of what has ids. */
const maxIds = 50

interface Place {
  readonly request: Request
  /** The words before the current one, without options. */
  readonly given: readonly string[]
  readonly current: string
}

async function resolve(next: NextWord | undefined, { request, given, current }: Place): Promise<readonly string[]> {
  const look = <Result>(find: (toolpact: Toolpact) => Promise<Result>) => withToolpact(request, find)
  switch (next) {
    case undefined:
      return []
    case 'tool':
      return (await findTools(request)).map(({ id }) => id)
    case 'rule':
      return look(async ({ rules }) => (await rules.list()).map(({ rule }) => rule.id))
    case 'server':
      return look(async ({ config }) => Object.keys(config.mcpServers ?? {}))
    case 'call':
      return look(async ({ ledger }) => (await ledger.calls({ limit: maxIds })).calls.map(({ callId }) => callId.slice(0, 8))) // biome-ignore format: one line
    case 'session':
      return look(async ({ sessions }) => (await sessions.list({ limit: maxIds })).map(({ id }) => id.slice(0, 8)))
    case 'workflow':
      return (await findTools(request)).filter(({ tool }) => tool.workflow).map(({ id }) => id)
    case 'run':
      return look(async ({ runs }) => ((await runs?.list({ limit: maxIds })) ?? []).map(({ id }) => id.slice(0, 8)))
    case 'question':
      return look(async ({ approvals }) =>
        (await approvals.questions(Date.now()))
          .filter(({ state }) => state === 'pending')
          .map(({ id }) => id.slice(0, 8)),
      )
    default: {
      if (!('parametersOf' in next)) return next
      const tools = await findTools(request)
      const tool = tools.find(({ id, name, functionName }) => [id, name, functionName].includes(next.parametersOf))
      return tool ? toParameters(tool.tool.contract.input, { given, current }) : []
    }
  }
}

/** `name=` for each parameter that is not given yet, or its values where the contract lists them. */
function toParameters({ properties = {} }: JsonSchema, { given, current }: Omit<Place, 'request'>): string[] {
  const [name] = current.split('=', 1)
  if (current.includes('=')) {
    const property = Object.hasOwn(properties, name!) ? properties[name!] : undefined
    return typeof property === 'object' ? toChoices(property).map((value) => `${name}=${value}`) : []
  }
  const names = new Set(given.map((word) => word.split('=', 1)[0]))
  return Object.keys(properties).filter((key) => !names.has(key)).map((key) => `${key}=`) // biome-ignore format: one line
}

function toChoices({ enum: choices, const: only, type }: JsonSchema): string[] {
  const values = choices ?? (only !== undefined ? [only] : type === 'boolean' ? [true, false] : [])
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
}

function findTools(request: Request) {
  return withToolpact(request, ({ catalog }) => catalog.all(commandCaller))
}

/** Starts no server and writes nothing. */
async function withToolpact<Result>({ open }: Request, look: (toolpact: Toolpact) => Promise<Result>): Promise<Result> {
  const toolpact = await open({ access: 'read', start: 'never' })
  try {
    return await look(toolpact)
  } finally {
    await toolpact.close()
  }
}

const scripts: { readonly [shell: string]: string } = {
  bash: `_toolpact() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <(toolpact completion bash-words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _toolpact toolpact`,
  zsh: `_toolpact() {
  local -a found
  found=("\${(@f)$(toolpact completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -S '' -- \${(M)found:#*=}
  compadd -- \${found:#*=}
}
compdef _toolpact toolpact`,
  fish: `complete -c toolpact -f -a '(toolpact completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
}
