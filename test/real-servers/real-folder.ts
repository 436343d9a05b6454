import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './installed.ts'
import type { RealServer } from './servers.ts'

/** A folder for real servers to work in, with a note and a drawing. */
export function openRealFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-real-')))
  writeFileSync(join(folder, 'note.md'), 'A small note\n')
  writeFileSync(join(folder, 'drawing.xml'), '<mxfile><diagram id="a" name="A small page"></diagram></mxfile>')
  /** Puts the folder's path where a value says `{folder}`. */
  const inFolder = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll('{folder}', JSON.stringify(folder).slice(1, -1)))
  return {
    folder,
    inFolder,
    /** The server's entry, as in any client's config. */
    toEntry: (server: RealServer) => ({
      command: process.execPath,
      args: [findProgram(server.package), ...inFolder(server.args ?? [])],
      env: inFolder(server.env ?? {}),
      cwd: folder,
    }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
