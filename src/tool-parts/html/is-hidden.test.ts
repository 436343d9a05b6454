import { expect, test } from 'vitest'
import { parseHtml } from './parse-html.ts'
import { renderPage } from './render-page.ts'

test.each([
  'style="display:none"',
  'style="DISPLAY : none !important"',
  'style="color:red;visibility:hidden"',
  'style="content-visibility:hidden"',
  'hidden',
  'hidden="until-found"',
  'style="font-size:0"',
  'style="font-size:0.01px"',
  'style="opacity:0"',
  'style="opacity:.0"',
  'style="height:0;overflow:hidden"',
  'style="max-height:0px;overflow-y:hidden"',
  'style="width:1px;height:1px;overflow:hidden"',
  'style="position:absolute;left:-9999px"',
  'style="position:fixed;top:-100em"',
  'style="position:absolute;clip:rect(0 0 0 0)"',
  'style="position:absolute;clip:rect(1px, 1px, 1px, 1px)"',
  'style="position:absolute;clip-path:inset(50%)"',
  'style="text-indent:-9999px"',
  'style="color:#fff"',
  'style="color:white;background:#ffffff"',
  'style="color:rgb(255, 255, 255)"',
  'style="color:#000;background-color:black"',
  'style="color:transparent"',
  'style="color:rgba(0,0,0,0)"',
  'class="sr-only"',
  'class="note visually-hidden"',
  'class="d-none"',
  'class="d-none d-print-block"',
])('invisible text is not read: %s', (attributes) => {
  expect(read(`<p>before</p><div ${attributes}>secret <p>and more</p></div><p>after</p>`)).toBe('before\n\nafter')
  expect(read(`<p>be<span ${attributes}>secret</span>fore</p>`)).toBe('before')
})

test.each([
  'style="display:block"',
  'style=""',
  'style="overflow:hidden"',
  'style="height:0"',
  'style="position:absolute;left:-10px"',
  'style="opacity:0.5"',
  'style="font-size:10px"',
  'style="color:#fff;background-color:#000"',
  'style="color:#fff;background:url(night.jpg)"',
  'style="color:white" background="night.jpg"',
  'style="color:var(--text)"',
  'style="visibility:visible"',
  'class="d-none d-md-block"',
  'class="not-sr-only"',
])('visible text is read: %s', (attributes) => {
  expect(read(`<div ${attributes}>seen</div>`)).toBe('seen')
})

test('white text on a dark ancestor is read', () => {
  expect(read('<table bgcolor="#003366"><tr><td><font color="white">seen</font></table>')).toBe('seen')
  expect(read('<div style="background-color:navy"><p style="color:#fff">seen</p></div>')).toBe('seen')
  expect(read('<div style="background:none"><font color="#FFFFFF">secret</font></div>')).toBe('')
})

test('a page that hides itself until its scripts have run is read', () => {
  expect(read('<html style="visibility:hidden"><body style="opacity:0" hidden><p>seen')).toBe('seen')
})

test('elements for machines are not read', () => {
  for (const piece of [
    '<!-- secret -->',
    '<script>secret</script>',
    '<style>secret{}</style>',
    '<template><p>secret</p></template>',
    '<noscript><p>secret</p></noscript>',
    '<iframe>secret</iframe>',
    '<svg><title>secret</title><text>secret</text></svg>',
    '<object>secret</object>',
    '<video>secret</video>',
    '<dialog>secret</dialog>',
    '<input type=hidden value=secret>',
    '<select><option>secret</select>',
    '<textarea>secret</textarea>',
  ])
    expect(read(`<p>one</p>${piece}<p>two</p>`), piece).toBe('one\n\ntwo')
  expect(read('<dialog open>seen</dialog>')).toBe('seen')
})

function read(html: string): string {
  return renderPage(parseHtml(html))
}
