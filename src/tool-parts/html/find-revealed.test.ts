import { expect, test } from 'vitest'
import { parseHtml } from './parse-html.ts'
import { renderPage } from './render-page.ts'

test.each([
  ['a panel that a button names', '<button aria-controls="a">More</button><div id="a" hidden>seen</div>'],
  ['one of several panels', '<b aria-controls="x a">More</b><div id="a" style="display:none">seen</div>'],
  ['the panel of a tab', '<a role="tab" href="#a">Tab</a><div id="a" class="d-none">seen</div>'],
  ['a part that React streams', '<template id="B:1f"></template><div hidden id="S:1f">seen</div>'],
  ['a part of a part that React streams', '<template id="P:2"></template><div hidden id="S:2">seen</div>'],
  ['a panel by its role', '<div role="tabpanel" hidden>seen</div>'],
  ['a panel by its class', '<div class="faq-answer" style="display: none">seen</div>'],
  ['an element that scripts fade in', '<div style="opacity:0;will-change:transform">seen</div>'],
  ['a declarative shadow root', '<x-y><template shadowrootmode="closed">seen</template></x-y>'],
  ['a button around a heading', '<button><h3>seen</h3></button>'],
  ['a button inside a heading', '<h3><button>seen</button></h3>'],
])('%s is read', (_, html) => {
  expect(read(html)).toContain('seen')
})

test.each([
  ['a panel that nothing names', '<button>More</button><div id="a" hidden>secret</div>'],
  ['a panel that an ordinary link names', '<a href="#a">More</a><div id="a" hidden>secret</div>'],
  [
    'what is hidden inside a panel',
    '<b aria-controls="a"></b><div id="a" hidden><p style="font-size:0">secret</p></div>',
  ],
  ['a part without placeholder', '<div hidden id="S:1">secret</div>'],
  ['an empty name', '<b aria-controls=" "></b><div id="" hidden>secret</div>'],
  ['a plain button', '<button>secret</button>'],
  ['a hidden button around a heading', '<button hidden><h3>secret</h3></button>'],
  ['a template', '<template>secret</template>'],
])('%s is not read', (_, html) => {
  expect(read(`<p>before</p>${html}<p>after</p>`)).not.toContain('secret')
})

test('a page of a hundred thousand controls is read in time', () => {
  expect(read('<b aria-controls="a b c d e f g h">x</b> '.repeat(100_000))).toContain('x x x')
})

function read(html: string): string {
  return renderPage(parseHtml(html))
}
