/** A program that installs a server before running it. */
export interface Launcher {
  /** For messages, such as `npx` or `docker run`. */
  readonly label: string
  /** How to detect installation. `children`: until it has a child process. `output`: it reports downloads on stderr. */
  readonly sign: 'children' | 'output'
  /** Identifies the install location: launchers with the same key must not run concurrently. */
  readonly key: string
}

const byChildren = ['npx', 'npm exec', 'npm x', 'pnpx', 'pnpm dlx', 'yarn dlx', 'bunx', 'bun x', 'uvx', 'uv tool run', 'uv run', 'pipx run'] // biome-ignore format: one line
const byOutput = ['docker run', 'podman run', 'nerdctl run']

/** The launcher at the start of a command, if it is a known one. */
export function findLauncher(command: string, args: readonly string[]): Launcher | undefined {
  const words = [command.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe|ps1)$/i, ''), ...args]
  // On Windows, scripts are run through a shell.
  const bare = words[0] === 'cmd' && /^\/c$/i.test(words[1] ?? '') ? words.slice(2) : words
  const begins = (label: string) => label.split(' ').every((word, index) => bare[index] === word)
  const label = [...byChildren, ...byOutput].find(begins)
  if (label === undefined) return undefined
  return { label, sign: byOutput.includes(label) ? 'output' : 'children', key: bare.join('\0') }
}
