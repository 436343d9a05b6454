/** Installs the servers that test/real-servers connects to, into a cache outside the repository. Once is enough. */
import { installRealServers } from '../test/real-servers/installed.ts'

installRealServers()
