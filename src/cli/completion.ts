import type { Toolpact } from '../app/app.ts'
import { type Command, type OptionTable, type Request, UsageError } from './options/command.ts'
import { globalOptions, splitCommandLine } from './options/command-line.ts'
import { exitCodes } from './terminal/exit-codes.ts'

export const completion: Command = {
  usage: ['completion bash | zsh | fish'],
  about: 'Prints a shell script that completes commands, options, tool names, server names and rule ids.',
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
    else if (Object.hasOwn(scripts, shell)) terminal.print(scripts[shell]!)
    else throw new UsageError(`There is no completion for '${shell}'.`, `Use ${Object.keys(scripts).join(', ')}.`)
    return exitCodes.success
  },
}

async function complete(words: readonly string[], request: Request): Promise<readonly string[]> {
  const current = words.at(-1) ?? ''
  const found = await findNext(words.slice(0, -1), current, request)
  return found.filter((word) => word.startsWith(current)).sort()
}

async function findNext(before: readonly string[], current: string, request: Request): Promise<readonly string[]> {
  const { commands } = await import('./main.ts')
  const { name, rest } = splitCommandLine(before)
  const command = name !== undefined && Object.hasOwn(commands, name) ? await commands[name]!.load() : undefined
  const options: OptionTable = { ...globalOptions, ...command?.options }
  const open = Object.entries(options).find(([option]) => before.at(-1) === `--${option}`)
  if (open?.[1].type === 'string') return findValues(open[0], open[1].value ?? '', request)
  if (current.startsWith('-')) return Object.keys(options).map((option) => `--${option}`)
  if (name === undefined) return Object.keys(commands)
  const given = rest.filter((word, index) => !word.startsWith('-') && !takesValue(rest[index - 1], options))
  return resolve(command?.next?.(given), request)
}

function takesValue(word: string | undefined, options: OptionTable): boolean {
  return Object.entries(options).some(([name, { type }]) => word === `--${name}` && type === 'string')
}

async function findValues(option: string, shown: string, request: Request): Promise<readonly string[]> {
  if (option === 'tool') return resolve('tool', request)
  if (option === 'toolset') return [...new Set((await findTools(request)).map(({ toolset }) => toolset))]
  return shown.includes('|') ? shown.split('|') : []
}

async function resolve(next: ReturnType<NonNullable<Command['next']>>, request: Request): Promise<readonly string[]> {
  if (next === 'tool') return (await findTools(request)).map(({ id }) => id)
  if (next === 'rule')
    return withToolpact(request, async ({ rules }) => (await rules.list()).map(({ rule }) => rule.id))
  // Reads names only; does not start servers.
  if (next === 'server') return withToolpact(request, async ({ config }) => Object.keys(config.mcpServers ?? {}))
  return next ?? []
}

function findTools(request: Request) {
  const open = () => request.open({ storage: 'memory' })
  return withToolpact({ ...request, open }, ({ catalog }) => catalog.all())
}

async function withToolpact<Result>({ open }: Request, look: (toolpact: Toolpact) => Promise<Result>): Promise<Result> {
  const toolpact = await open()
  try {
    return await look(toolpact)
  } finally {
    await toolpact.close()
  }
}

const scripts: { readonly [shell: string]: string } = {
  bash: `_toolpact() {
  local IFS=$'\\n'
  COMPREPLY=($(toolpact completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _toolpact toolpact`,
  zsh: `_toolpact() {
  local -a found
  found=("\${(@f)$(toolpact completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $found
}
compdef _toolpact toolpact`,
  fish: `complete -c toolpact -f -a '(toolpact completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
}
