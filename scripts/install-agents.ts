/** Installs the coding agents that test/acceptance runs, into a cache outside the repository. Once is enough. */
import { agents } from '../test/acceptance/agents.ts'
import { installAgent } from '../test/acceptance/installed.ts'

for (const agent of agents) installAgent(agent)
