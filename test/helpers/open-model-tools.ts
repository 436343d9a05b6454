import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallResult } from '../../src/contract/call-result.ts'
import { createRedactor } from '../../src/policy/redact.ts'
import type { Call } from '../../src/runtime/pipeline/call.ts'
import { createCatalog } from '../../src/runtime/pipeline/catalog.ts'
import { createPipeline } from '../../src/runtime/pipeline/pipeline.ts'
import type { Violation } from '../../src/runtime/pipeline/pipeline-options.ts'
import { openMemoryStorage } from '../../src/runtime/storage/memory/memory.ts'
import { type ModelServerSettings, openModelServers } from '../../src/toolsets/mlx/capability/model-servers.ts'
import { mlxctl } from '../../src/toolsets/mlx/index.ts'
import { makeFolder, yes } from './open-test-pipeline.ts'
import { entries } from './run-command.ts'
import { takePort } from './take-port.ts'
import { modelServerCommand, watchServers } from './watch-servers.ts'

/** The mlxctl tools with real servers on a reserved port, through the whole pipeline. Everything is approved. */
export async function openModelTools(settings: Partial<ModelServerSettings> = {}) {
  const port = await takePort()
  const folder = makeFolder()
  const directory = join(folder, 'state')
  const { environment: watched, ...servers } = watchServers()
  const environment = { ...process.env, ...writePrograms(folder), ...watched }
  const violations: Violation[] = []

  /** Opens the tools again, as another process would. */
  function open(more: Partial<ModelServerSettings> = {}) {
    const modelServers = openModelServers({
      driver: 'process',
      graceMs: 2000,
      loadTimeoutMs: 60_000,
      ...(settings.driver !== 'mlxctl' && { command: modelServerCommand }),
      ...settings,
      ...more,
      directory,
      environment,
    })
    const pipeline = createPipeline({
      catalog: createCatalog({ mlxctl: async () => mlxctl }),
      storage: openMemoryStorage(),
      capabilities: () => ({ modelServers }),
      approver: yes,
      redact: createRedactor({ environment: {}, names: [] }),
      onViolation: (violation) => violations.push(violation),
    })
    const call = (tool: string, input: unknown, rest: Partial<Call> = {}): Promise<CallResult> =>
      pipeline.call({ tool: `mlxctl.${tool}`, input, caller: { name: 'tester' }, ...rest })
    return {
      call,
      load: (model: string, rest?: Partial<Call>) => call('mlx.load', { model, port }, rest),
      unload: (rest?: Partial<Call>) => call('mlx.unload', { port }, rest),
    }
  }

  return {
    ...open(),
    ...servers,
    /** A second instance, as in another process: state is shared through files only. */
    again: open,
    port,
    folder,
    directory,
    environment,
    violations,
    /** The log of the server on the port, or of mlxctl and its children. */
    log: (of?: 'mlxctl') => readFileSync(join(directory, of ? `${port}.mlxctl-load.log` : `${port}.log`), 'utf8'),
    /** The arguments of each call of mlxctl or ssh. */
    called(program: 'mlxctl' | 'ssh'): string[][] {
      const record = join(folder, `${program}.calls`)
      if (!existsSync(record)) return []
      const calls = readFileSync(record, 'utf8').split('\0\0').slice(0, -1)
      return calls.map((words) => words.split('\0'))
    },
  }
}

/** Fakes of mlxctl and ssh, on a separate PATH. */
function writePrograms(folder: string): { readonly PATH: string } {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  write(join(bin, 'mlxctl'), toMlxctl(folder))
  write(join(bin, 'ssh'), toSsh(folder))
  return { PATH: `${bin}:${process.env.PATH}` }
}

function write(path: string, text: string) {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

const record = (file: string) => `for word; do printf '%s\\0' "$word"; done >>'${file}'; printf '\\0' >>'${file}'`

/** Like the wrapper's command line: servers outlive it. */
const toMlxctl = (folder: string) => `#!/bin/sh
${record(join(folder, 'mlxctl.calls'))}
case $1 in
load)
  case $2 in
  *missing*) echo "error: model not found: $2" >&2; exit 4;;
  busy*) echo "error: port $3 is in use by another lane" >&2; exit 1;;
  broken*) echo 'error: the studio sleeps' >&2; exit 9;;
  stuck*) exec sleep 60;;
  held*) while [ ! -e '${folder}'/go ]; do sleep 0.05; done;;
  esac
  '${process.execPath}' '${entries.modelServer}' --model "$2" --host 127.0.0.1 --port "$3" &
  echo $! >'${folder}'/"$3".pid
  case $2 in leaving*)
    while ! grep -q listening '${folder}'/state/"$3".mlxctl-load.log; do sleep 0.05; done; exit 1;;
  esac
  echo loading
  ;;
unload)
  [ -e '${folder}'/refuse ] && { echo 'error: not now' >&2; exit 5; }
  pid=$(cat '${folder}'/"$2".pid 2>/dev/null) || { echo "nothing is loaded on $2" >&2; exit 1; }
  [ -e '${folder}'/pretend ] && exit 0
  kill -KILL "$pid"
  rm '${folder}'/"$2".pid
  ;;
*) exit 2;;
esac
`

/** Runs the command locally in a real shell: the one the host is named after, else sh. */
const toSsh = (folder: string) => `#!/bin/sh
${record(join(folder, 'ssh.calls'))}
while [ "$1" != -- ]; do shift; done
case $2 in
*away) echo "ssh: connect to host $2 port 22: No route to host" >&2; exit 255;;
*bash) exec bash -c "$3";;
*) exec sh -c "$3";;
esac
`
