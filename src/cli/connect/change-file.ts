import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { printable } from '../../contract/text/printable.ts'
import { findSecrets } from '../../policy/secrets.ts'
import { openClientBackups } from '../../state/client-backups.ts'
import { removeConfigFile, replaceConfigFile } from '../../state/config-file.ts'
import { stateDirectory } from '../../state/state-directory.ts'
import { UsageError } from '../options/command.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import type { OpenedFile } from './client-file.ts'
import { EditError, readServer, setServer } from './edit-client-file.ts'

/** A planned change of a client's file. */
export interface FileChange {
  readonly opened: OpenedFile
  /** Undefined: the file is deleted. */
  readonly after: string | Uint8Array | undefined
  /** Part of the new content; never printed. */
  readonly token?: string | undefined
}

export function openBackups() {
  return openClientBackups({ directory: stateDirectory(process.env) })
}

/** The change as a diff, with the token hidden. */
export async function toChangeLines({ opened, after, token }: FileChange): Promise<Line[]> {
  const hide = (text: string) => (token === undefined ? text : text.replaceAll(token, '…'))
  const { client, path, bytes } = opened
  return [
    [
      paint('bold', client.title),
      `  ${printable(path)}${bytes ? '' : ' (new)'}${after === undefined ? ' (deleted)' : ''}`,
    ],
    ...(await toDiffLines(bytes?.toString() ?? '', hide(after === undefined ? '' : Buffer.from(after).toString()))),
  ]
}

const maxChanges = 1000

/** Lines of context may contain keys of other servers, so everything that looks like a secret is hidden. */
async function toDiffLines(before: string, after: string): Promise<Line[]> {
  const { structuredPatch } = await import('diff/lib/patch/create.js')
  const options = { context: 2, stripTrailingCr: true, maxEditLength: maxChanges }
  const patch = structuredPatch('', '', before, after, '', '', options)
  if (!patch) return [paint('dim', `  More than ${maxChanges} lines change.`)]
  return patch.hunks.flatMap(({ lines }, index) => [
    ...(index > 0 ? [paint('dim', '  …')] : []),
    ...lines.map((line) => paint(styles[line[0]!] ?? 'dim', `${line[0]} ${hideSecrets(line.slice(1))}`)),
  ])
}

const styles: { readonly [sign: string]: 'red' | 'green' } = { '-': 'red', '+': 'green' }

function hideSecrets(line: string): string {
  return findSecrets(line)
    .filter(({ start, end }) => !isReference.test(line.slice(start, end)))
    .reduceRight((text, { start, end }) => `${text.slice(0, start)}…${text.slice(end)}`, line)
}

/** References to environment variables, in the syntax of any client, are not secrets. */
const isReference = /^(?:Bearer )?(?:\$\{[\w:]+\}|\{env:\w+\}|\$\w+)$/

/** Writes the change atomically. A file with a token becomes readable by its owner only. */
export function writeChange({ opened: { path, bytes }, after, token }: FileChange): void {
  if (after === undefined) removeConfigFile(path, bytes!)
  else {
    mkdirSync(dirname(path), { recursive: true })
    replaceConfigFile(path, bytes, after, { isPrivate: token !== undefined })
  }
}

/** The original bytes, if only our entry has changed since connecting; otherwise undefined. */
export async function findOriginal(
  opened: OpenedFile,
): Promise<{ readonly bytes: Uint8Array | undefined } | undefined> {
  const { path, bytes, place } = opened
  const entry = bytes && (await readServer(bytes.toString(), place))
  if (!entry) return undefined
  const backup = openBackups().find(path)
  const before = backup && Buffer.from(backup.bytes).toString()
  if (before !== undefined && (await readServer(before, place))) return undefined
  const made = await setServer(before, place, entry).catch(() => undefined)
  return made === bytes.toString() ? { bytes: backup?.bytes } : undefined
}

/** Turns an EditError into a UsageError with advice. */
export function toEditFailure(cause: unknown, { path, client }: OpenedFile): unknown {
  if (!(cause instanceof EditError)) return cause
  return new UsageError(`${path} ${cause.message}.`, `Nothing was changed. Correct the file, or paste the entry for ${client.title} from the console of toolpact serve.`) // biome-ignore format: one line
}
