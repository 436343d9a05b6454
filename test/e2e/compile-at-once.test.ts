import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { compileAtOnce } from '../../scripts/compile-at-once.ts'
import { readCoverage } from '../../scripts/prepare-starts.ts'
import { toAscii } from '../../scripts/to-ascii.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolpact-compile-'))
const file = join(folder, 'chunks', 'program.mjs')

beforeEach(() => {
  for (const name of ['chunks', 'coverage', 'cache']) {
    rmSync(join(folder, name), { recursive: true, force: true })
    mkdirSync(join(folder, name))
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(code: string, env: NodeJS.ProcessEnv = {}): string {
  writeFileSync(file, code)
  return execFileSync(process.execPath, [file], { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } })
}

function rewrite(code: string): string {
  run(code, { NODE_V8_COVERAGE: join(folder, 'coverage') })
  return compileAtOnce(code, readCoverage(join(folder, 'coverage'), join(folder, 'chunks')).get(file)!)
}

const everyKind = `
import { basename } from 'node:path'
"use strict"
console.log(declared(1), declared.name, declared.length, later())
function declared(a, ...rest) {
  const made = inner('declared ran')
  return [made, rest.length, basename(import.meta.url)]
  function inner(text) { return text + typeof inner }
}
function later() { 'use strict'; if (later.count ??= 1) { return block() + 'later ran'; function block() { return 'block ran' } } }
function never() { return 'never ran, so lazy' }
let changed = 1
async function waits() { await 0; return 'waits ran' }
function* yields() { yield 'yields ran' }
const arrow = x => y => ({ text: 'arrow ran', x, y })
const plain = function () { return [this?.name, 'expression ran'] }
const object = {
  name: 'object', plain, 'odd key': (x) => x ?? 'key ran', [\`a\${changed}\`]() { return 'computed ran' },
  method(a) { return [this.name, 'method ran', a] }, async slow() { return 'slow ran' }, *many() { yield 'many ran' },
  get got() { return 'getter ran' }, toString() { return super.toString() + 'super ran' },
  unused() { return 'unused is lazy' }, __proto__: { proto() { return 'proto ran' } },
}
class Base { field = () => 'field ran'; static of() { return new this() } get() { return 'class ran' } }
class Derived extends Base { get() { return super.get() + 'derived ran' } }
switch (changed) { case 1: function inCase() { return 'case ran' } console.log(inCase()) }
console.log(arrow(1)(2), plain.call(object), plain.name, object.plain(), object['odd key'](), object.a1(), object.method(1))
console.log(object.method.name, object.got, String(object), object.proto(), await object.slow(), [...object.many()])
console.log(Derived.of().get(), new Base().field(), await waits(), [...yields()], ((a, b) => a + b)(1, 2), !function () { return 0 }())
try { declared.call(null, fails()) } catch (error) { console.log(error.stack.split('\\n').map((line) => line.trim().split(' ').slice(0, 2)).slice(0, 2)) }
function fails() { throw new Error('thrown') }
`

test('a program does the same when the functions that ran are in parentheses, and its cache holds their code', () => {
  const rewritten = rewrite(everyKind)
  expect(run(rewritten)).toBe(run(everyKind))
  for (const [code, isReady] of [
    [everyKind, false],
    [rewritten, true],
  ] as const) {
    run(code, { NODE_COMPILE_CACHE: join(folder, 'cache', `${isReady}`) })
    const [cache] = globSync('cache/*/*/*', { cwd: folder }).filter((name) => name.includes(`${isReady}`))
    const cached = readFileSync(join(folder, cache!), 'latin1')
    const ran = [
      'declared',
      'later',
      'block',
      'waits',
      'yields',
      'arrow',
      'expression',
      'key',
      'method',
      'slow',
      'many',
      'proto',
    ]
    expect(ran.filter((name) => cached.includes(`${name} ran`) !== isReady)).toEqual([])
    expect(cached.includes('so lazy') || cached.includes('is lazy')).toBe(false)
  }
})

test('a program does the same in ASCII', () => {
  const text = `const ä = 'µ\\é\\\\é😀', tagged = String.raw\`é\${1}\\u0041\`
console.log(ä, \`…\\…\${ä}\`, tagged, /^\\p{L}[é-ü😀]$/u.test('ö'), /[😀]/v.exec('x😀').index)`
  const ascii = toAscii(text)
  expect(run(ascii)).toBe(run(text))
  expect(ascii.replace('raw`é', '')).toMatch(/^[\0-\x7f]+$/)
})
