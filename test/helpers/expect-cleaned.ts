import { expect, test } from 'vitest'
import { run } from '../../src/toolsets/transcript/clean-by-rules.ts'
import { cleanTranscript } from '../../src/toolsets/transcript/clean-transcript.ts'

/** Tests of cleaning by rules: what is said, and what stays; and texts that stay as they are. */
export function testCleaning(
  pairs: readonly (readonly [said: string, cleaned: string])[],
  fluent: readonly string[],
): void {
  test.each(pairs)('%s → %s', async (said, cleaned) => {
    expect(await clean(said)).toBe(cleaned)
    expect(await clean(cleaned)).toBe(cleaned)
  })
  test.each(fluent)('%s stays', async (said) => {
    expect(await clean(said)).toBe(said)
  })
}

function clean(text: string): Promise<string> {
  const context = { signal: new AbortController().signal, callId: 'test', caller: { name: 'test' }, progress: () => {}, note: () => {} } // biome-ignore format: one line
  return cleanTranscript(text, { largeTranscripts: { run: async (large) => run(large) } }, context)
}
