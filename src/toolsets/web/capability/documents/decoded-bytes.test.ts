import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const module = JSON.stringify(new URL('decoded-bytes.ts', import.meta.url))

/** Runs in a process of its own: the limit replaces globals. Gives what it prints. */
function allocate(statements: string): string {
  const program = `import { limitDecodedBytes } from ${module}
    limitDecodedBytes(1000, () => { console.log('exceeded'); process.exit() })
    ${statements}
    console.log('done')`
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).stdout.trim()
}

test.each([
  ['one large array', 'new Uint8Array(1001)'],
  ['many small ones', 'for (let i = 0; i < 11; i++) new Uint8Array(100)'],
  ['wide elements', 'new Float64Array(126)'],
  ['a buffer', 'new ArrayBuffer(1001)'],
  ['a copy of a list', 'new Uint8Array(Array(1001).fill(0))'],
  ['a length that is no number before it', 'new Uint8Array(NaN); new Uint8Array(1001)'],
  [
    'what is decompressed',
    `const stream = new Blob([(await import('node:zlib')).deflateSync('x'.repeat(5000))]).stream()
    for await (const chunk of stream.pipeThrough(new DecompressionStream('deflate'))) chunk`,
  ],
])('%s counts', (_what, statements) => expect(allocate(statements)).toBe('exceeded'))

test.each([
  ['less', 'new Uint8Array(500); new Uint8Array(500)'],
  [
    'a view of a buffer',
    'const { buffer } = new Uint8Array(500); for (let i = 0; i < 9; i++) new Uint8Array(buffer, 0, 400)',
  ],
  ['an array of another kind', 'if (!(new Uint8Array(1) instanceof Uint8Array)) throw new Error()'],
])('%s does not exceed it', (_what, statements) => expect(allocate(statements)).toBe('done'))
