import { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { InputWriter } from './input-writer.ts'

function open(highWaterMark = 1000) {
  const writes: string[] = []
  let goOn = () => {}
  const input = new Writable({
    highWaterMark,
    write(chunk, _, done) {
      writes.push(String(chunk))
      goOn = done
    },
  })
  return { writes, writer: new InputWriter(input), read: () => goOn() }
}

test('a single line is written immediately, and several lines of one tick together', async () => {
  const { writes, writer, read } = open()
  writer.write('a', true)
  expect(writes).toEqual(['a\n'])
  read()
  writer.write('b')
  writer.write('c')
  expect(writes).toEqual(['a\n'])
  await nextTurn()
  expect(writes).toEqual(['a\n', 'b\nc\n'])
})

test('a single line never overtakes buffered ones', async () => {
  const { writes, writer, read } = open(4)
  writer.write('long enough', true)
  writer.write('a')
  writer.write('b', true)
  await nextTurn()
  expect(writes).toEqual(['long enough\n'])
  read()
  await nextTurn()
  expect(writes).toEqual(['long enough\n', 'a\nb\n'])
})
