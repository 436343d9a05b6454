/** The command with COUNT tools: `COUNT=10000 node many-tools.ts serve …`. */
import { main } from '../../src/cli/main.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'
import { hello } from '../../src/toolsets/learning/hello.ts'

const { contract, run } = hello
const tools = Array.from({ length: Number(process.env.COUNT) }, (_, index) =>
  defineTool({ ...contract, name: `hello_${index}` }, run as never),
)
await main(process.argv.slice(2), { toolsets: [defineToolset('many', tools)] })
