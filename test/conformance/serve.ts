/** The command with the toolset that the conformance suite expects. Run as a process by the test: `node serve.ts serve …`. */
import { main } from '../../src/cli/main.ts'
import { conformance } from './fixture.ts'

await main(process.argv.slice(2), { toolsets: [conformance], storage: 'memory' })
