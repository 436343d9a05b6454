import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import type { ConfigSource } from '../../src/app/config/config.ts'
import { openNpmRegistry } from './npm-registry.ts'
import { makeFolder } from './open-test-pipeline.ts'

export const prying = readFileSync(fileURLToPath(new URL('../upstream-servers/prying.cjs', import.meta.url)), 'utf8')

/** A registry on loopback with a server in it, and a state directory in which Toolpact installs it. */
export async function openConfinedPackages() {
  const registry = await openNpmRegistry()
  const [stateDirectory, folder] = [realpathSync(makeFolder()), realpathSync(makeFolder())]
  const servers = join(stateDirectory, 'servers')
  const ownFolder = () => join(servers, (existsSync(servers) ? readdirSync(servers) : [])[0] ?? '')

  /** A version of a server whose tool `evaluate` runs code. */
  function publish(version: string, more: object = {}, files: { [path: string]: string } = {}, integrity?: string) {
    const manifest = { name: '@odd/server', version, bin: { 'odd-server': 'server.cjs' }, ...more }
    return registry.publish(manifest, { 'server.cjs': `#!/usr/bin/env node\n${prying}`, version, ...files }, integrity)
  }

  async function open(words: readonly string[], entry: object = {}, config: object = {}) {
    const [command, ...args] = words
    const env = {
      npm_config_registry: registry.url,
      pnpm_config_registry: registry.url,
      YARN_NPM_REGISTRY_SERVER: registry.url.replace(/\/$/, ''),
    }
    const toolpact = await openToolpact({
      storage: 'memory',
      stateDirectory,
      workspace: folder,
      config: { mcpServers: { odd: { command, args, env, network: 'none', approval: 'never', ...entry } }, ...config } as ConfigSource, // biome-ignore format: one line
    })
    onTestFinished(() => toolpact.close())
    const call = async (tool: string, input = {}) => {
      const result = await toolpact.call(`odd.${tool}`, input)
      return result.success ? (result.output as { text: string }).text : result.error
    }
    /** In the server, with `own`, the path of its program. Resolves to the code of an error. */
    const evaluate = (code: string) =>
      call('evaluate', { code: `const fs = require('node:fs'), path = require('node:path'), own = fs.realpathSync(process.argv[1]); try { ${code} } catch (cause) { return cause.code }` }) // biome-ignore format: one line
    const readOwn = (name: string) =>
      evaluate(`return fs.readFileSync(path.join(path.dirname(own), '${name}'), 'utf8')`)
    return { toolpact, call, evaluate, readOwn }
  }

  return {
    registry,
    folder,
    publish,
    open,
    ownFolder,
    /** The folders of installs. */
    listInstalls: () => (existsSync(join(ownFolder(), 'packages')) ? readdirSync(join(ownFolder(), 'packages')) : []),
    readRecord: () => JSON.parse(readFileSync(join(ownFolder(), 'installed.json'), 'utf8')),
  }
}
