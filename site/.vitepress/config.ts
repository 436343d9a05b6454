import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

// The site of the pages in docs/, which GitHub shows as they are: nothing in them is for this generator alone.
const docs = fileURLToPath(new URL('../../docs', import.meta.url))

export default defineConfig({
  title: 'Toolpact',
  description: "Makes a tool's contract the single source of truth and enforces it wherever the tool is called.",
  srcDir: docs,
  outDir: '../dist-site',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  themeConfig: {
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
    nav: readKinds().map(({ kind, pages }) => ({ text: kind, link: pages[0]!.link })),
    sidebar: readKinds().map(({ kind, pages }) => ({ text: kind, items: pages })),
  },
  // The front page gets a head; below it is the index of all pages.
  transformPageData: (page) => {
    if (page.relativePath !== 'index.md') return
    const [first] = readKinds()
    page.frontmatter.layout = 'home'
    page.frontmatter.hero = {
      name: 'Toolpact',
      tagline: "A tool's contract is the single source of truth, and it is enforced wherever the tool is called.",
      actions: [
        { theme: 'brand', text: 'Get started', link: first!.pages[0]!.link },
        { theme: 'alt', text: 'How it works', link: '/how-it-works' },
        { theme: 'alt', text: 'Command line', link: '/cli' },
      ],
    }
  },
  markdown: { config: (md) => md.core.ruler.push('for-the-site', toSite) },
  vite: {
    publicDir: false,
    plugins: [{ name: 'vue-of-the-site', enforce: 'pre', resolveId: resolveVue }],
    build: { chunkSizeWarningLimit: 2000 },
  },
})

/** The pages are outside of this folder, where Vue is installed. */
function resolveVue(
  this: { resolve(source: string, importer: string): unknown },
  source: string,
  importer?: string,
): unknown {
  const isPage = importer?.startsWith(docs) && /^vue(?:\/server-renderer)?$/.test(source)
  return isPage ? this.resolve(source, fileURLToPath(import.meta.url)) : undefined
}

interface Page {
  readonly text: string
  readonly link: string
}

/** The pages by kind, as docs/README.md lists them: links in lists, and rows of files in folders. */
function readKinds(): { readonly kind: string; readonly pages: readonly Page[] }[] {
  const index = readFileSync(join(docs, 'README.md'), 'utf8')
  const sections = index
    .split(/^## /m)
    .slice(1)
    .filter((text) => !text.startsWith('Moved'))
  return sections.flatMap((section) => {
    const pages = [...section.matchAll(/^- .*$/gm)].flatMap(([line]) =>
      [...line.matchAll(/\[([^\]]+)\]\(([\w/-]+)\.md\)/g)].map(([, text, path]) => ({ text: toTitle(path!, text!), link: `/${path!.replace(/README$/, '')}` })),
    ) // biome-ignore format: one line
    return pages.length > 0 ? [{ kind: section.slice(0, section.indexOf('\n')), pages }] : []
  })
}

/** The title of a page, which the index may refer to in other words. */
function toTitle(path: string, otherwise: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(docs, `${path}.md`), 'utf8'))?.[1] ?? otherwise
}

type Token = {
  type: string
  content: string
  children?: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
  tag: string
  attrs: unknown
}

/** Links to files that are not on the site become plain text, and pictures follow the theme of the site. */
function toSite(state: { readonly tokens: Token[]; readonly env: { readonly path?: string } }): void {
  const folder = dirname(state.env.path ?? join(docs, 'README.md'))
  for (const token of state.tokens) {
    if (token.type === 'html_block') token.content = toThemedPicture(token.content)
    let isOutside = false
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') {
        const href = child.attrGet('href') ?? ''
        isOutside = leadsOut(folder, href)
        child.attrSet('href', href.replace(/(^|\/)README\.md/, '$1index.md'))
      }
      if (isOutside && (child.type === 'link_open' || child.type === 'link_close')) Object.assign(child, { tag: 'span', attrs: null }) // biome-ignore format: one line
      if (child.type === 'link_close') isOutside = false
    }
  }
}

function leadsOut(folder: string, href: string): boolean {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return false
  const path = resolve(folder, decodeURI(href).replace(/[#?].*$/, ''))
  const isInside = !relative(docs, path).startsWith('..')
  return !isInside || !existsSync(path) || (statSync(path).isDirectory() && !readdirSync(path).includes('README.md'))
}

/** GitHub chooses a source by the media query. Here a class does, since the site has a switch of its own. */
function toThemedPicture(html: string): string {
  return html.replaceAll(
    /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img ([^>]*?)src="([^"]+)"([^>]*)>\s*<\/picture>/g,
    (_, dark, before, light, after) =>
      `<img class="light-only" ${before}src="./${light}"${after}><img class="dark-only" ${before}src="./${dark}"${after}>`,
  )
}
