/** Installs the servers for test/real-servers into a cache outside the repository. Needed once. */
import { installRealServers } from '../test/real-servers/installed.ts'

installRealServers()
