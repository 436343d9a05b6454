import { expect, test } from 'vitest'
import { findCause } from './find-cause.ts'

/** As the programs print them; long traces are shortened. */
const outputs: [program: string, output: string, cause: string][] = [
  [
    'node, a file that does not exist',
    `node:internal/modules/cjs/loader:1568
  throw err;
  ^

Error: Cannot find module '/srv/index.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1564:15)
    at node:internal/main/run_main_module:33:47 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.21.0`,
    "Error: Cannot find module '/srv/index.js'",
  ],
  [
    'node, a package that is not installed',
    `node:internal/modules/package_json_reader:331
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/index.js
    at Object.getPackageJSONURL (node:internal/modules/package_json_reader:331:9) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v24.21.0`,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/index.js",
  ],
  [
    'node, an error with a cause',
    `/srv/index.js:1
throw new TypeError('fetch failed', { cause })
^

TypeError: fetch failed
    at file:///srv/index.js:1:7
    ... 5 lines matching cause stack trace ...
  [cause]: Error: connect ECONNREFUSED 127.0.0.1:5432
      at TCPConnectWrap.afterConnect
}

Node.js v22.1.0`,
    'TypeError: fetch failed',
  ],
  [
    'node, errors of a validator over several lines',
    `Starting
ZodError: [
  {
    "code": "invalid_type",
    "path": ["API_KEY"],
    "message": "Required"
  }
]
    at parse (/srv/config.js:3:1)`,
    'ZodError: [ { "code": "invalid_type", "path": ["API_KEY"], "message": "Required"',
  ],
  [
    'npm, no such package',
    `npm warn exec The following package was not found and will be installed: no-such@1.0.0
npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/no-such - Not found
npm error 404
npm error 404  'no-such@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/debug-0.log`,
    'npm error 404 Not Found - GET https://registry.npmjs.org/no-such - Not found',
  ],
  [
    'npm, no such version',
    `npm error code ETARGET
npm error notarget No matching version found for cowsay@99.
npm error notarget In most cases you or one of your dependencies are requesting`,
    'npm error notarget No matching version found for cowsay@99.',
  ],
  [
    'npm, no network',
    `npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:9/cowsay failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error     at ClientRequest.<anonymous> (/usr/lib/node_modules/npm/index.js:130:14)
npm error   code: 'ECONNREFUSED',
npm error }
npm error
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.`,
    'npm error FetchError: request to http://127.0.0.1:9/cowsay failed, reason: connect ECONNREFUSED 127.0.0.1:9',
  ],
  [
    'npm of an older version',
    `npm ERR! code EACCES
npm ERR! syscall mkdir
npm ERR! path /root/.npm
npm ERR! Your cache folder contains root-owned files`,
    'npm ERR! Your cache folder contains root-owned files',
  ],
  ['npx, a package without that program', 'sh: 1: mcp-server: not found', 'sh: 1: mcp-server: not found'],
  ['a shell', 'bash: line 1: uvx: command not found', 'bash: line 1: uvx: command not found'],
  [
    'python, a module that is not installed',
    `Traceback (most recent call last):
  File "/srv/server.py", line 1, in <module>
    from mcp.server import Server
ModuleNotFoundError: No module named 'mcp'`,
    "ModuleNotFoundError: No module named 'mcp'",
  ],
  ['python -m', '/usr/bin/python3: No module named mcp_server', '/usr/bin/python3: No module named mcp_server'],
  [
    'python, an exception while another is handled',
    `Traceback (most recent call last):
  File "/srv/a.py", line 3, in load
    return os.environ["TOKEN"]
           ~~~~~~~~~~^^^^^^^^^
KeyError: 'TOKEN'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/a.py", line 9, in <module>
    raise ValueError("TOKEN is not set")
ValueError: TOKEN is not set`,
    'ValueError: TOKEN is not set',
  ],
  [
    'python, an exception of a library',
    `Traceback (most recent call last):
  File "/srv/a.py", line 3, in <module>
pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings`,
    'pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings',
  ],
  [
    'uvx, no such package',
    `  × No solution found when resolving tool dependencies:
  ╰─▶ Because no-such was not found in the package registry and you require no-such, we can conclude that your requirements are unsatisfiable.`,
    '× No solution found when resolving tool dependencies: ╰─▶ Because no-such was not found in the package registry and you require no-such, we can conclude that your requirements are unsatisfiable.',
  ],
  [
    'uvx, no network',
    `error: Failed to fetch: \`https://pypi.org/simple/mcp/\`
  Caused by: Request failed after 3 retries
  Caused by: error sending request`,
    'error: Failed to fetch: `https://pypi.org/simple/mcp/` Caused by: Request failed after 3 retries Caused by: error sending request',
  ],
  [
    'docker, no such image',
    `Unable to find image 'mcp/none:latest' locally
docker: Error response from daemon: pull access denied for mcp/none, repository does not exist or may require 'docker login'.

Run 'docker run --help' for more information`,
    "docker: Error response from daemon: pull access denied for mcp/none, repository does not exist or may require 'docker login'.",
  ],
  [
    'docker, no daemon',
    'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
  ],
  ['pnpm', ' ERR_PNPM_FETCH_404  GET https://registry.npmjs.org/no-such: Not Found - 404\n\nno-such is not in the npm registry', 'ERR_PNPM_FETCH_404  GET https://registry.npmjs.org/no-such: Not Found - 404'], // biome-ignore format: one line
  [
    'bunx',
    'error: GET https://registry.npmjs.org/no-such - 404',
    'error: GET https://registry.npmjs.org/no-such - 404',
  ],
  [
    'rust',
    `thread 'main' panicked at src/main.rs:4:5:
called \`Result::unwrap()\` on an \`Err\` value: NotPresent
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
    "thread 'main' panicked at src/main.rs:4:5: called `Result::unwrap()` on an `Err` value: NotPresent",
  ],
  ['go', 'panic: open config.yaml: no such file\n\ngoroutine 1 [running]:\nmain.main()', 'panic: open config.yaml: no such file'], // biome-ignore format: one line
  [
    'java',
    'Exception in thread "main" java.lang.IllegalStateException: no key\n\tat Main.main(Main.java:3)',
    'Exception in thread "main" java.lang.IllegalStateException: no key',
  ],
  ['a server that says what it needs', 'Brave server\nBRAVE_API_KEY environment variable is required', 'BRAVE_API_KEY environment variable is required'], // biome-ignore format: one line
  ['a server that says how it is used', 'Usage: mcp-server-filesystem <directory> [more]', 'Usage: mcp-server-filesystem <directory> [more]'], // biome-ignore format: one line
  ['a server that logs and ends', 'Connected\nGood bye', 'Good bye'],
  ['nothing but a trace', '    at Module._compile (node:internal:1:1)\nNode.js v24.21.0', ''],
  ['nothing', '', ''],
]

test.each(outputs)('the cause is found in the output of %s', (_, output, cause) => {
  expect(findCause(output.split('\n'))).toBe(cause)
})

test('finding takes no time on hostile lines', () => {
  const hostile = Array.from({ length: 100 }, () => 'a.'.repeat(1000))
  expect(findCause(hostile)).toHaveLength(2000)
})
