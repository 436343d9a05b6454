/** A program that installs a server before it runs it. */
export interface Launcher {
  /** As a person knows it, such as `npx` or `docker run`. */
  readonly label: string
  /** `children`: it installs until it has started a process of its own. `output`: it reports on stderr what it fetches. */
  readonly sign: 'children' | 'output'
  /** The same for everything that is installed to the same place. */
  readonly key: string
}

const byChildren = ['npx', 'npm exec', 'npm x', 'pnpx', 'pnpm dlx', 'yarn dlx', 'bunx', 'bun x', 'uvx', 'uv tool run', 'uv run', 'pipx run'] // biome-ignore format: one line
const byOutput = ['docker run', 'podman run', 'nerdctl run']

/** The launcher that a command begins with, if it is a known one. */
export function findLauncher(command: string, args: readonly string[]): Launcher | undefined {
  const words = [command.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe|ps1)$/i, ''), ...args]
  // Windows needs a shell to run a script.
  const bare = words[0] === 'cmd' && /^\/c$/i.test(words[1] ?? '') ? words.slice(2) : words
  const begins = (label: string) => label.split(' ').every((word, index) => bare[index] === word)
  const label = [...byChildren, ...byOutput].find(begins)
  if (label === undefined) return undefined
  return { label, sign: byOutput.includes(label) ? 'output' : 'children', key: bare.join('\0') }
}
