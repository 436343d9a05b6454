import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const writeWheel = `
import base64, hashlib, io, json, sys, zipfile
files = json.load(sys.stdin)
out = io.BytesIO()
with zipfile.ZipFile(out, 'w') as wheel:
    record = []
    for path, text in files.items():
        data = text.encode()
        wheel.writestr(path, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
        record.append(f'{path},sha256={digest},{len(data)}')
    name = next(path for path in files if path.endswith('/METADATA')).replace('METADATA', 'RECORD')
    wheel.writestr(name, '\\n'.join(record + [f'{name},,']) + '\\n')
sys.stdout.buffer.write(out.getvalue())
`

/** A Python package index on loopback (PEP 503) with one package, whose program runs a Node server. */
export async function openPythonIndex(serverCode: string) {
  const asked: string[] = []
  const wheels = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const wheel = wheels.get(path.slice(1))
    if (wheel) return response.end(wheel)
    if (path !== '/simple/odd-server/') return response.writeHead(404).end()
    response.setHeader('content-type', 'text/html')
    const links = [...wheels].map(([name, bytes]) => `<a href="/${name}#sha256=${createHash('sha256').update(bytes).digest('hex')}">${name}</a>`) // biome-ignore format: one line
    response.end(`<!DOCTYPE html><html><body>${links.join('\n')}</body></html>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`,
    asked,
    publish(version: string) {
      const info = `odd_server-${version}.dist-info`
      const files = {
        'odd_server/__init__.py': `import os\n\ndef main():\n    code = os.path.join(os.path.dirname(__file__), 'server.cjs')\n    os.execvp('node', ['node', code])\n`,
        'odd_server/server.cjs': serverCode,
        'odd_server/version': version,
        [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: odd-server\nVersion: ${version}\n`,
        [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
        [`${info}/entry_points.txt`]: '[console_scripts]\nodd-server = odd_server:main\n',
      }
      const wheel = execFileSync('python3', ['-c', writeWheel], { input: JSON.stringify(files) })
      wheels.set(`odd_server-${version}-py3-none-any.whl`, wheel)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
