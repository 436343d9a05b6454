/** Adds the style sheet of a page that is loaded on demand. The content security policy allows it, unlike a `style` element. */
export function adoptStyle(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
