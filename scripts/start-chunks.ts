import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Groups the modules that startup loads into few files: loading a module takes half a millisecond regardless of
 * size. Each chunk holds its modules and their static imports, except those of earlier chunks.
 */
const chunks: { readonly [name: string]: readonly string[] } = {
  // Evaluated before everything else, so it must be a separate file.
  'require-node': ['src/app/require-node.ts'],
  // The others are used by several chunks below, and would be in the largest of them.
  core: [
    'src/app/app.ts',
    'src/app/config/caller-rights.ts',
    'src/capabilities/files/temporary-name.ts',
    'src/policy/path.ts',
  ],
  command: ['src/cli/main.ts'],
  // Toolsets load their settings, and so does the config. What several toolsets use is here too: in the chunk of another
  // module that uses it, it would make `toolpact list` load that whole chunk.
  'define-tools': [
    'src/contract/define-tool.ts',
    'src/contract/define-toolset.ts',
    'src/contract/define-resource.ts',
    'src/toolsets/settings.ts',
    'src/contract/text/shown-path.ts',
    'src/contract/text/decode-text.ts',
    'src/tool-parts/file-resource.ts',
    'src/tool-parts/html/plain-line.ts',
    'src/tool-parts/html/reading-inputs.ts',
    'src/tool-parts/text-part.ts',
    'src/tool-parts/repository/memory-entry.ts',
    'src/tool-parts/repository/read-repo-file.ts',
    'src/tool-parts/repository/write-memory-entry.ts',
    'src/toolsets/web/extract/metadata/find-date.ts',
  ],
  config: [
    'src/app/config/config.ts',
    'src/app/config/apply-config.ts',
    'src/app/config/toolset-settings.ts',
    'src/app/config/config-trust.ts',
    'src/runtime/storage/files/trust-file.ts',
  ],
  capabilities: ['src/capabilities/open-capabilities.ts'],
  mcp: ['src/surfaces/mcp/server.ts'],
  // What `toolpact serve --stdio` loads in turn, up to the first answers.
  serve: [
    'src/cli/serve/serve.ts',
    'src/cli/serve/open-serving.ts',
    'src/cli/serve/serve-on-stdio.ts',
    'src/app/tenants/open-tenants.ts',
    'src/app/follow-config.ts',
    'src/capabilities/files/sweep-temporary.ts',
    'src/cli/terminal/large-list.ts',
  ],
  sealer: ['src/runtime/storage/proof/sealer.ts', 'src/app/proof/open-signer.ts'],
}

/** The groups of modules for the bundler. */
export function toChunkGroups() {
  const chunkOf = new Map<string, string>()
  for (const [name, modules] of Object.entries(chunks)) {
    for (const path of findStaticImports(modules)) if (!chunkOf.has(path)) chunkOf.set(path, name)
  }
  return Object.keys(chunks).map((name) => ({ name, test: (id: string) => chunkOf.get(id) === name }))
}

/** Absolute paths of modules and their static imports, without type imports. */
export function findStaticImports(modules: readonly string[]): Set<string> {
  const found = new Set<string>()
  const queue = modules.map((path) => join(root, path))
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const imports = readFileSync(path, 'utf8').matchAll(
      /^(?:import|export)\s+(?!type\s)(?:([^'";]*?)\sfrom\s+)?'(\.[^']+)'/gm,
    )
    for (const [, names = '', specifier] of imports) {
      if (!hasOnlyTypes(names)) queue.push(join(dirname(path), specifier!))
    }
  }
  return found
}

/** `{ type A, type B }` */
function hasOnlyTypes(names: string): boolean {
  return /^\{(?:\s*type\s[^,}]+,?)+\s*\}$/.test(names)
}
