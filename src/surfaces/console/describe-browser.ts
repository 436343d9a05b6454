/** In the order of what they claim: each also names those below it. */
const browsers: readonly (readonly [name: string, form: RegExp])[] = [
  ['Edge', /\bEdgA?\/\d|\bEdgiOS\//],
  ['Opera', /\bOPR\/\d/],
  ['Firefox', /\bFirefox\/\d|\bFxiOS\//],
  ['Chrome', /\bChrome\/\d|\bCriOS\/|\bHeadlessChrome\//],
  ['Safari', /\bSafari\/\d/],
]

const systems: readonly (readonly [name: string, form: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** A browser in words, such as `Firefox on Linux`, by its `User-Agent`. Only known words: the header is text from elsewhere. */
export function describeBrowser(agent = ''): string {
  const find = (known: typeof browsers) => known.find(([, form]) => form.test(agent.slice(0, 500)))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser === undefined) return system === undefined ? 'An unknown browser' : `An unknown browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
