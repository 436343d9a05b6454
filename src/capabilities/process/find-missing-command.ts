/** The program that a shell did not find, if it exited because of that. */
export function findMissingCommand(
  exitCode: number | null,
  complaint: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform === 'win32') return exitCode === 0 ? undefined : notRecognized.exec(complaint)?.[1]
  if (exitCode !== 127) return undefined
  const line = complaint.trimEnd().split('\n').at(-1) ?? ''
  // Messages of zsh, then of sh and bash. If a folder on the path is unreadable, dash reports "Permission denied".
  return (/command not found: (.+)$/.exec(line) ??
    /([^\s:]+): (?:(?:command )?not found|Permission denied)$/.exec(line))?.[1]
}

/** Message of cmd.exe, which exits with 1 or 9009. */
const notRecognized = /^'(.{1,300})' is not recognized as an internal or external command/m
