/** Installs the coding agents for test/acceptance into a cache outside the repository. Needed once. */
import { agents } from '../test/acceptance/agents.ts'
import { installAgent } from '../test/acceptance/installed.ts'

for (const agent of agents) installAgent(agent)
