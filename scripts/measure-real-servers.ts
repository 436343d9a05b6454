/** Writes docs/upstream-compatibility.md from a run with real servers. */
import { writeFileSync } from 'node:fs'
import { tryConfined } from '../test/real-servers/confined.ts'
import { toConfinedSection, toDocument } from '../test/real-servers/document.ts'
import { installRealServers } from '../test/real-servers/installed.ts'
import { openRealServers } from '../test/real-servers/open-real-servers.ts'

installRealServers()
const opened = await openRealServers()
writeFileSync(
  new URL('../docs/upstream-compatibility.md', import.meta.url),
  `${toDocument(opened.statusOf)}${toConfinedSection(await tryConfined())}`,
)
await opened.close()
