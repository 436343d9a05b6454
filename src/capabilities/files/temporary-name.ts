/** Whether a file is being written, or was left by a killed process. Tools never see these. */
export function isTemporaryName(name: string): boolean {
  return /^\.toolpact-[0-9a-f-]{36}\.tmp$/.test(name)
}
