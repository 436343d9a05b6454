import { expect, test } from 'vitest'
import { readRobots } from './robots.ts'

const rules = (...lines: string[]) => readRobots(['User-agent: *', ...lines].join('\n'), 'toolpact')

test.each<[string, string[], string, boolean]>([
  ['no rule at all', [], '/a', true],
  ['an empty rule', ['Disallow:'], '/a', true],
  ['everything closed', ['Disallow: /'], '/a', false],
  ['robots.txt itself', ['Disallow: /'], '/robots.txt', true],
  ['a folder', ['Disallow: /private/'], '/private/x', false],
  ['what begins alike', ['Disallow: /private/'], '/privateer', true],
  ['the longer rule', ['Disallow: /a', 'Allow: /a/b'], '/a/b/c', true],
  ['the longer rule, the other way round', ['Allow: /a', 'Disallow: /a/b'], '/a/b', false],
  ['two rules of one length', ['Disallow: /a', 'Allow: /a'], '/a', true],
  ['a star', ['Disallow: /*/edit'], '/wiki/page/edit?x', false],
  ['a star that finds nothing', ['Disallow: /*/edit'], '/wiki/page', true],
  ['an end', ['Disallow: /*.pdf$'], '/a/b.pdf', false],
  ['a $ before the end', ['Disallow: /*.pdf$'], '/a/b.pdf?x', true],
  ['an end without a star', ['Disallow: /a$'], '/ab', true],
  ['an end after several stars', ['Disallow: /*a*b$'], '/xaxbxb', false],
  ['a query', ['Disallow: /*?sort='], '/list?sort=up', false],
  ['another writing of a path', ['Disallow: /%61b%2f'], '/ab%2Fc', false],
  ['other letters', ['Disallow: /größe'], '/gr%C3%B6%C3%9Fe', false],
  ['a comment', ['Disallow: /a # not this'], '/a', false],
  ['a line of nonsense', ['Disallow', ':::', 'Disallow: /a'], '/a', false],
])('%s: %j, %s', (_what, lines, path, allowed) => {
  expect(rules(...lines).allows(path)).toBe(allowed)
})

test('a group that names the robot overrides the group for all', () => {
  const text = 'User-agent: *\nDisallow: /\n\nUser-agent: Toolpact\nDisallow: /x\n\nUser-agent: other\nDisallow: /y'
  const { allows } = readRobots(text, 'toolpact')
  expect(['/', '/x', '/y'].map(allows)).toEqual([true, false, true])
})

test('several names share a group, and several groups of one name add up', () => {
  const text = '\ufeffuser-agent: a\r\nuser-agent: toolpact\r\ndisallow: /x\r\nuser-agent: toolpact\r\ndisallow: /y'
  const { allows } = readRobots(text, 'toolpact')
  expect(['/x', '/y', '/z'].map(allows)).toEqual([false, false, true])
})

test('a hostile file is read in bounded time', () => {
  const text = `User-agent: *\n${`Disallow: /${'*a'.repeat(900)}$\n`.repeat(2000)}${'Disallow: /*a*a*a*a*a*b$\n'.repeat(10_000)}`
  expect(readRobots(text, 'toolpact').allows(`/${'a'.repeat(5000)}`)).toBe(true)
})
