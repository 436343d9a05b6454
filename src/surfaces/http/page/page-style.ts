import { tokenPlaceholder } from '../../client-configs.ts'

/** Self-contained, for light and dark mode. */
export const style = `
:root { color-scheme: light dark; --line: light-dark(#d8dee4, #33393f); --soft: light-dark(#f3f5f7, #1c2126);
  --text: light-dark(#1c2126, #e4e8ec); --quiet: light-dark(#5a646e, #9aa4ae); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; color: var(--text); background: light-dark(#fff, #12161a);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; } h2 { margin: 2rem 0 .75rem; font-size: 1.2rem; } h3 { margin: 0; font-size: 1rem; }
header p, footer, .title, small { color: var(--quiet); }
code, pre { font: .875rem/1.45 ui-monospace, monospace; unicode-bidi: isolate; }
article, .client { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: .5rem 0; }
article p { margin: .25rem 0; } .title { font-size: .875rem; }
.description { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
summary { cursor: pointer; } article summary { color: var(--quiet); font-size: .875rem; }
pre { margin: .5rem 0; padding: .75rem; background: var(--soft); border-radius: .375rem; overflow: auto; max-height: 28rem; }
.copyable { position: relative; } .copyable pre { padding-right: 5rem; }
.copyable button { position: absolute; top: .5rem; right: .5rem; font: inherit; font-size: .8rem; cursor: pointer; }
.mark { font: .75rem/1 system-ui, sans-serif; padding: .15rem .5rem; border: 1px solid currentColor; border-radius: 1rem; }
.read_only { color: light-dark(#1a7f37, #57c97a); } .safe_write, .asks-first { color: light-dark(#8a5a00, #e0b14c); }
.dangerous { color: light-dark(#b3261e, #ff8a80); }
table { border-collapse: collapse; font-size: .875rem; } td { padding: .2rem .75rem .2rem 0; vertical-align: top; }
`

export const script = `
const shown = document.getElementById('token')
const token = shown?.dataset.token
const copy = async (button, text, element) => {
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    element.textContent = text
    getSelection().selectAllChildren(element)
    button.textContent = 'Press Ctrl-C'
  }
  setTimeout(() => { button.textContent = label }, 2000)
}
document.getElementById('copy-token')?.addEventListener('click', ({ target }) => copy(target, token, shown))
document.getElementById('reveal')?.addEventListener('click', ({ target }) => {
  const isHidden = shown.textContent !== token
  shown.textContent = isHidden ? token : '\u2022'.repeat(16)
  target.textContent = isHidden ? 'Hide' : 'Reveal'
})
for (const button of document.querySelectorAll('.copyable button')) {
  const code = button.parentElement.querySelector('code')
  const text = code.textContent
  button.addEventListener('click', () => copy(button, token ? text.replaceAll('${tokenPlaceholder}', token) : text, code))
}
`
