import type { ChildProcess } from 'node:child_process'

/** Requests and answers as lines, told apart by their ids. */
export interface StdioConnection {
  send(id: number, line: string): Promise<string>
  notify(line: string): void
}

export function openStdio(child: ChildProcess): StdioConnection {
  const { stdin, stdout } = child
  const waiting = new Map<number, (line: string) => void>()
  // A server that is gone answers no more.
  child.on('exit', (code) => {
    for (const answer of waiting.values()) answer(`The server ended with ${code}.`)
  })
  let rest = ''
  stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const id = Number(/"id":(\d+)/.exec(line)?.[1])
      waiting.get(id)?.(line)
      waiting.delete(id)
    }
  })
  return {
    send(id, line) {
      const answer = new Promise<string>((resolve) => waiting.set(id, resolve))
      stdin!.write(`${line}\n`)
      return answer
    },
    notify: (line) => void stdin!.write(`${line}\n`),
  }
}
