import { expect, test } from 'vitest'
import { parseHtml } from './parse-html.ts'
import { renderBlocks } from './render-blocks.ts'
import { renderMarkup } from './render-markup.ts'
import type { Markup } from './rich-writer.ts'
import { toBlocks } from './to-blocks.ts'

/** What must survive in text and in Markdown. Without a fourth value, both are the same. */
const pages: [what: string, html: string, text: string, markdown?: string][] = [
  ['an exponent', '<p>6·10<sup>24</sup> kg on 5 m<sup>2</sup>', '6·10^24 kg on 5 m^2'],
  ['a negative exponent', '<p>10<sup>-3</sup>, 10<sup>−4</sup>', '10^-3, 10^−4'],
  ['an exponent of several terms', '<p>e<sup>x+1</sup> and (a+b)<sup>2</sup>', 'e^(x+1) and (a+b)^2'],
  ['what follows an exponent', '<p>x<sup>2</sup>y', 'x^2 y'],
  ['a footnote after a number', '<p>In 2020<sup><a href="#fn3">3</a></sup> it rose', 'In 2020[3] it rose', 'In 2020\\[3\\] it rose'], // biome-ignore format: one line
  ['a footnote whose link is outside', '<p>7<a href="#n1"><sup>1</sup></a> men', '7[1] men', '7\\[1\\] men'],
  ['a footnote by its class', '<p>1990<sup class="reference">[6]</sup>', '1990[6]', '1990\\[6\\]'],
  ['a footnote without a link', '<p>It rose.<sup>4</sup> Water<sup>5</sup> too', 'It rose.[4] Water[5] too', 'It rose.\\[4\\] Water\\[5\\] too'], // biome-ignore format: one line
  ['formulas of chemistry', '<p>H<sub>2</sub>O, Ca(OH)<sub>2</sub>', 'H2O, Ca(OH)2'],
  ['indices', '<p>x<sub>i</sub>, 101<sub>2</sub>, log<sub>2</sub>8', 'x_i, 101_2, log2 8', 'x\\_i, 101\\_2, log2 8'],
  ['ordinals and abbreviations', '<p>1<sup>st</sup>, 2<sup>e</sup>, M<sup>me</sup>, n<sup>o</sup> 5', '1st, 2e, Mme, no 5'], // biome-ignore format: one line
  ['cents of a price', '<p><sup>$</sup>19<sup>99</sup>', '$19.99'],
  ['signs', '<p>Brand<sup>®</sup> at 20<sup>°</sup>C', 'Brand® at 20°C'],
  [
    'a long text that is raised',
    '<p>Tea<sup>is made of the leaves of a plant</sup>',
    'Teais made of the leaves of a plant',
  ],
  [
    'a formula in MathML, once',
    '<math><msup><mn>10</mn><mn>24</mn></msup><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac><annotation>10^{24}</annotation></math>',
    '10^24=(a+1)/2',
  ],
  ['deleted text', '<p>Was <del>$50</del> $40', 'Was ~~$50~~ $40'],
  ['crossed-out text', '<p><s> old </s>new <strike>a</strike> <i style="text-decoration: line-through">b</i>', '~~old~~ new ~~a~~ ~~b~~', '~~old~~ new ~~a~~ ~~*b*~~'], // biome-ignore format: one line
  ['deleted paragraphs', '<del><p>one</p><p>two</p></del><p>three', '~~one~~\n\n~~two~~\n\nthree'],
  ['quoted words', '<p>She said <q>yes</q>.', 'She said "yes".'],
  [
    'empty cells',
    '<table><tr><th>Name<th>Q1<th>Q2<tr><td>Ada<td><td>7<tr><td><td>5<td><tr><td><td><td></table>',
    'Name | Q1 | Q2\nAda | | 7\n| 5 |',
    '| Name | Q1 | Q2 |\n| --- | --- | --- |\n| Ada |  | 7 |\n|  | 5 |  |',
  ],
  [
    'cells over several rows and columns',
    '<table><tr><td rowspan=2>A<td>1<td>2<tr><td>3<td>4<tr><td colspan=2>B<td>5</table>',
    'A | 1 | 2\n| 3 | 4\nB | | 5',
    '|  |  |  |\n| --- | --- | --- |\n| A | 1 | 2 |\n|  | 3 | 4 |\n| B |  | 5 |',
  ],
  ['numbers of a list', '<ol><li>one<li>two</ol>', '1. one\n2. two'],
  ['the first number of a list', '<ol start=3><li>three<li>four</ol>', '3. three\n4. four'],
  ['a number within a list', '<ol><li>one<li value=9>nine<li>ten</ol>', '1. one\n9. nine\n10. ten'],
  ['numbers that count down', '<ol reversed><li>two<li>one</ol>', '2. two\n1. one'],
  ['numbers of nested lists', '<ol><li>a<ol><li>b<li>c</ol><li>d</ol>', '1. a\n   1. b\n   2. c\n2. d'],
  ['the number of an empty item', '<ol><li>one<li><li>three</ol>', '1. one\n3. three'],
  ['letters of a list', '<ol type=a start=26><li>x<li>y</ol>', 'z. x\naa. y', '- z. x\n- aa. y'],
  ['Roman numbers', '<ol type=I start=4><li>x</ol><ol type=i start=9><li>y</ol>', 'IV. x\nix. y', '- IV. x\n- ix. y'],
  ['numbers below one', '<ol type=A start=-1><li>x<li>y</ol>', '-1. x\n0. y', '- -1. x\n0. y'],
  ['the number of a heading', '<ol><li><h3>Boil</h3><p>Wait.</ol>', '1. Boil\n\n   Wait.', '1. ### Boil\n\n   Wait.'],
  ['second paragraphs of items', '<ul><li><p>one</p><p>more</p><li>two</ul>', '- one\n\n  more\n\n- two'],
  ['a list in an item without words', '<ul><li><ul><li>deep</ul></ul>', '- - deep'],
  [
    'definitions',
    '<dl><dt>Term<dd>Meaning.<p>More.</p><dd>Another<dt>Second<dd>Two</dl>',
    'Term\n: Meaning.\n\n  More.\n: Another\n\nSecond\n: Two',
  ],
  ['lines of code in elements', '<pre><ol><li>a = 1<li>b = 2</ol></pre>', 'a = 1\nb = 2', '```\na = 1\nb = 2\n```'],
]

test.each<[string, string, string, string?]>(pages)('%s', (_, html, text, markdown = text) => {
  expect(renderBlocks(toBlocks(parseHtml(html)))).toBe(text)
  expect(render(html)).toBe(markdown)
})

test.each<[what: string, html: string, markdown: string]>([
  ['headings', '<h1>One</h1><h6><b>Six</b><br>lines</h6>', '# One\n\n###### Six lines'],
  ['a heading that ends with a sign', '<h2>Learn C #</h2>', '## Learn C \\#'],
  ['emphasis', '<p>a <b>b</b><b>c</b> <i> d </i>e<strong>f</strong> <em></em>', 'a **bc** *d* e**f**'],
  ['emphasis over paragraphs', '<b><p>one</p><p>two</p></b>three', '**one**\n\n**two**\n\nthree'],
  ['line breaks', '<p>one<br>two', 'one\\\ntwo'],
  [
    'quotes, nested, and with lists',
    '<blockquote><p>One</p><p>Two<blockquote>In</blockquote><ul><li>a<li>b</ul></blockquote><p>after',
    '> One\n>\n> Two\n>\n> > In\n>\n> - a\n> - b\n\nafter',
  ],
  ['a quote in an item', '<ul><li>a<blockquote>b<br>c</blockquote></ul>', '- a\n\n  > b\\\n  > c'],
  ['code with its language', '<pre><code class="hljs language-js">a\n  b</code></pre>', '```js\na\n  b\n```'],
  ['languages in other places', '<pre class="brush: python">x</pre><div class="highlight-source-rust"><pre>y</pre></div>', '```python\nx\n```\n\n```rust\ny\n```'], // biome-ignore format: one line
  ['code in an item', '<ol><li>Run<pre>a\nb</pre></ol>', '1. Run\n\n   ```\n   a\n   b\n   ```'],
  [
    'code in a line',
    '<p>Use <code>a_b  *c*</code>, <kbd>Ctrl</kbd> and <code> </code>.',
    'Use `a_b *c*`, `Ctrl` and .',
  ],
  [
    'code with links and emphasis',
    '<p><code>a<a href="/x">b</a><b>c</b></code><div><code><p>d</p></code>',
    '`abc`\n\n`d`',
  ],
  ['links', '<p><a href="../a b.html?x=1#y">rel</a> <a href="mailto:a@b.example">mail</a>', '[rel](https://site.example/a%20b.html?x=1#y) [mail](mailto:a@b.example)'], // biome-ignore format: one line
  ['links of a page with another base', '<base href="https://cdn.example/v2/"><p><a href="x">x</a>', '[x](https://cdn.example/v2/x)'], // biome-ignore format: one line
  ['links over blocks', '<a href="/c"><h3>Card</h3><p>Text</p></a>', '### [Card](https://site.example/c)\n\n[Text](https://site.example/c)'], // biome-ignore format: one line
  ['links without words', '<p>a <a href="/x"></a> b', 'a b'],
  ['images', '<p>a <img src="/i.png" alt="A cat"> b <img src=x.png alt=""> <img alt=none>', 'a ![A cat](https://site.example/i.png) b'], // biome-ignore format: one line
  ['images in links', '<p>a <a href="/x"><img src="/i.png" alt="A"></a>', 'a [![A](https://site.example/i.png)](https://site.example/x)'], // biome-ignore format: one line
  [
    'images alone, and images that load later',
    '<figure><img src=a.png alt=A></figure><p>text</p><img src="data:image/gif;base64,AA" data-src="b.jpg" alt="B"><p>more</p><img src=c.png alt=C>',
    '![A](https://site.example/dir/a.png)\n\ntext\n\n![B](https://site.example/dir/b.jpg)\n\nmore\n\n![C](https://site.example/dir/c.png)',
  ],
  ['tables in quotes', '<blockquote><table><tr><th>a<th>b<tr><td>1<td><code>x|y</code></table></blockquote>', '> | a | b |\n> | --- | --- |\n> | 1 | `x\\|y` |'], // biome-ignore format: one line
  ['links and breaks in cells', '<table><tr><td><a href="/x">a</a><td>b<br>c</table>', '|  |  |\n| --- | --- |\n| [a](https://site.example/x) | b c |'], // biome-ignore format: one line
])('Markdown has %s', (_, html, markdown) => {
  expect(render(html)).toBe(markdown)
})

test.each<[what: string, html: string, markdown: string]>([
  ['markup in words', '<p>*a* _b_ c_d `e` [f](g) ![h](i) ~~j~~ \\ &lt;b&gt; &amp;lt; &amp;', '\\*a\\* \\_b\\_ c_d \\`e\\` \\[f\\](g) !\\[h\\](i) \\~\\~j\\~\\~ \\\\ \\<b> \\&lt; \\&'], // biome-ignore format: one line
  ['starts of lines', '<p># a<br>- b<br>+ c<br>1. d<br>2) e<br>&gt; f<br>: g', '\\# a\\\n\\- b\\\n\\+ c\\\n1\\. d\\\n2\\) e\\\n\\> f\\\n\\: g'], // biome-ignore format: one line
  ['rules and underlines', '<p>a<br>---<br>b<br>===<br>c | d<br>--- | :--', 'a\\\n\\---\\\nb\\\n\\===\\\nc | d\\\n\\--- | :--'], // biome-ignore format: one line
  ['an exclamation mark before a link', '<p>Look!<a href="/x">here</a>', 'Look\\![here](https://site.example/x)'],
  ['a reference in two pieces', '<p>&amp;am<span>p;</span>', '\\&amp;'],
  ['the end of a cell', '<table><tr><td>a|b<td>c\\|d<tr><td><code>e\\|f</code><td>g</table>', '|  |  |\n| --- | --- |\n| a\\|b | c\\\\\\|d |\n| `e\\ \\|f` | g |'], // biome-ignore format: one line
  ['the end of a fence', '<pre>```\n# not a heading\n````</pre>', '`````\n```\n# not a heading\n````\n`````'],
  ['the end of a code span', '<p><code>``` `</code> and <code>`</code>', '```` ``` ` ```` and `` ` ``'],
  ['a language that is not a word', '<pre class="language-`x`">y</pre>', '```\ny\n```'],
  ['the end of a link', '<p><a href="/a)b(c|d[e]">x](y)</a>', '[x\\](y)](https://site.example/a%29b%28c%7Cd%5Be%5D)'],
  [
    'the end of an image',
    '<p>a <img alt="x](y) &#10;&#10; # z" src="/p.png">',
    'a ![x\\](y) # z](https://site.example/p.png)',
  ],
  ['schemes that run code', '<p><a href="javascript:alert(1)">a</a> <a href="Ja\nva&#9;script:x">b</a> <a href="data:text/html,x">c</a> <a href="vbscript:x">d</a> <a href="file:///etc/passwd">e</a> <a href="blob:https://x/y">f</a>', 'a b c d e f'], // biome-ignore format: one line
  ['addresses with a password, too long, or invalid', `<p><a href="https://u:p@h.example/">a</a> <a href="/${'x'.repeat(2001)}">b</a> <a href="https://[">c</a>`, 'a b c'], // biome-ignore format: one line
  ['a base that runs code', '<base href="javascript:x"><p><a href="y">y</a>', 'y'],
])('Markdown keeps %s harmless', (_, html, markdown) => {
  expect(render(html)).toBe(markdown)
})

test('links are a list on request, each address once, with the words that lead to it', () => {
  const html =
    '<p>See <a href="/a">the *A*</a>, <a href="/b">B</a>, <a href="/a">again</a>, <a href="javascript:x">x</a><a href="/i"><img></a>'
  expect(render(html, { links: 'list' })).toBe(
    'See the \\*A\\*, B, again, x\n\n## Links\n\n- [the \\*A\\*](https://site.example/a)\n- [B](https://site.example/b)\n- [https://site.example/i](https://site.example/i)',
  )
  expect(render(html, { links: 'list', format: 'text' })).toBe(
    'See the *A*, B, again, x\n\nLinks:\n\n- the *A* <https://site.example/a>\n- B <https://site.example/b>\n- <https://site.example/i>',
  )
  expect(render('<p>none', { links: 'list' })).toBe('none')
})

test('links are left out on request, and follow their words in plain text', () => {
  expect(render('<p>See <a href="/a">A</a>.', { links: 'none' })).toBe('See A.')
  const html = '<ul><li>See <a href="/a">A </a>now<pre>*b*</pre></ul><table><tr><td><a href="/c">c</a><td><td>d</table>'
  expect(render(html, { links: 'inline', format: 'text' })).toBe(
    '- See A <https://site.example/a> now\n\n  *b*\n\nc <https://site.example/c> | | d',
  )
})

function render(html: string, options: Partial<Markup> = {}): string {
  const markup: Markup = { url: 'https://site.example/dir/page', format: 'markdown', links: 'inline', ...options }
  return renderMarkup(toBlocks(parseHtml(html), { markup }), markup)
}
