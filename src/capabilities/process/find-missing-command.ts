/** The word that a shell did not find as a program, if it ended for that. */
export function findMissingCommand(
  exitCode: number | null,
  complaint: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform === 'win32') return exitCode === 0 ? undefined : notRecognized.exec(complaint)?.[1]
  if (exitCode !== 127) return undefined
  const line = complaint.trimEnd().split('\n').at(-1) ?? ''
  // As zsh says it, then as sh and bash do. With a folder on the path that it may not read, dash says that it was denied.
  return (/command not found: (.+)$/.exec(line) ??
    /([^\s:]+): (?:(?:command )?not found|Permission denied)$/.exec(line))?.[1]
}

/** As cmd.exe says it, whose exit code for it is 1 or 9009. */
const notRecognized = /^'(.{1,300})' is not recognized as an internal or external command/m
