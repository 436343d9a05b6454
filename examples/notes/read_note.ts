import type { Handler } from 'toolpact'

// Served with: toolpact serve --contracts examples/notes
export const needs = ['files']

export const run: Handler<{ path: string }, { text: string; lines: number }, 'no_such_note', 'files'> = async (
  { path },
  { fail },
  { files },
) => {
  const { exists } = await files.locate(path)
  if (!exists) return fail('no_such_note', `There is no note ${path}.`)
  const { text, totalLines } = await files.readLines(path)
  return { text, lines: totalLines }
}
