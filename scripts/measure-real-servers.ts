/** Writes docs/upstream-compatibility.md from a run with real servers. */
import { writeFileSync } from 'node:fs'
import { toDocument } from '../test/real-servers/document.ts'
import { installRealServers } from '../test/real-servers/installed.ts'
import { openRealServers } from '../test/real-servers/open-real-servers.ts'

installRealServers()
const opened = await openRealServers()
writeFileSync(new URL('../docs/upstream-compatibility.md', import.meta.url), toDocument(opened.statusOf))
await opened.close()
