import { execFile } from 'node:child_process'

/** How each system opens a URL, without a shell. */
const openers: { readonly [platform: string]: readonly [command: string, ...args: string[]] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** False if there is no browser, or it did not start. */
export function openBrowser(url: string): Promise<boolean> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  if (command === 'xdg-open' && !DISPLAY && !WAYLAND_DISPLAY) return Promise.resolve(false)
  return new Promise((resolve) => {
    execFile(command, [...args, url], { timeout: openMs }, (error) => resolve(error === null || error.killed === true))
  })
}

/** Some openers stay with the browser that they started. */
const openMs = 5000
