import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

test.skipIf(process.platform === 'win32')(
  'the first Ctrl-C shuts down gracefully, the second exits at once',
  async () => {
    const program = `
    const { listenForInterrupts } = await import(${JSON.stringify(new URL('interrupts.ts', import.meta.url))})
    const { signal } = listenForInterrupts()
    signal.addEventListener('abort', () => console.log('aborted'))
    setInterval(() => {}, 1000)
    console.log('ready')`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const said: string[] = []
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      said.push(chunk.trim())
      child.kill('SIGINT')
    }
    expect(said).toEqual(['ready', 'aborted'])
    expect(await ended).toEqual([130, null])
  },
)
