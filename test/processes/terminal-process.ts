/**
 * Runs command lines one after another at the terminal that it was started in, and writes what each of them printed to a
 * file. In one process, because the start-up time dominates the cost of a command.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { main } from '../../src/cli/main.ts'

const [linesFile = '', outputFile = ''] = process.argv.slice(2)
const { exit } = process
const outputs: string[] = []
process.setMaxListeners(0)

for (const stream of [process.stdout, process.stderr]) {
  stream.setMaxListeners(0)
  const write = stream.write.bind(stream)
  stream.write = ((...args: Parameters<typeof write>) => {
    // A status that is erased again appears only if a server is slow.
    const isStatus = /^\r(?:\x1b\[\d+A)?\x1b\[J/.test(String(args[0]))
    if (!isStatus) outputs[outputs.length - 1] += String(args[0])
    return write(...args)
  }) as typeof stream.write
}
process.exit = (() => undefined) as unknown as typeof exit
for (const args of JSON.parse(readFileSync(linesFile, 'utf8')) as string[][]) {
  outputs.push('')
  await main(args)
}
const { isTTY, columns } = process.stdout
writeFileSync(outputFile, JSON.stringify({ columns: isTTY ? columns : undefined, outputs }))
exit(0)
