/** The command with misbehaving tools. Run as a process by the tests. */
import { main } from '../../src/cli/main.ts'
import { oddDefaults } from '../data/odd-tools.ts'

await main(process.argv.slice(2), oddDefaults)
