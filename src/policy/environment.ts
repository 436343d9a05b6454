import { isSecretName } from './secret-name.ts'
import { findSecrets } from './secrets.ts'

export interface EnvironmentDecision {
  /** The environment that a command gets. */
  readonly kept: Record<string, string>
  /** Names of removed variables, sorted. */
  readonly dropped: string[]
}

/**
 * Filters the environment of a command: no secrets, no access to agents or the desktop session, and nothing that makes a
 * program load or run code beyond the command. `keep` lists exceptions.
 */
export function decideEnvironment(
  environment: { readonly [name: string]: string | undefined },
  keep: readonly string[] = [],
): EnvironmentDecision {
  const kept: Record<string, string> = {}
  const dropped: string[] = []
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue
    if (keep.includes(name) || !(isSecret(name, value) || isSteering(name, value))) kept[name] = value
    else dropped.push(name)
  }
  return { kept, dropped: dropped.sort() }
}

function isSecret(name: string, value: string): boolean {
  if (isSecretName(name) || /(?:^|_)KEYS?$/i.test(name) || doors.has(name.toUpperCase())) return true
  return /:\/\/[^/\s:@]*:[^/\s@]+@/.test(value) || findSecrets(value).length > 0
}

function isSteering(name: string, value: string): boolean {
  const upper = name.toUpperCase()
  if (/^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/.test(upper)) return false
  return (
    steering.has(upper) ||
    /^(?:LD_|DYLD_|GIT_|NPM_|BASH_FUNC_|LUA_INIT|TOOLPACT_)/.test(upper) ||
    value.startsWith('() {')
  )
}

/** Sockets and handles: not secret themselves, but they let a program use secrets or act for the user. */
const doors = new Set([
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'XAUTHORITY',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'KRB5CCNAME',
])

/** Read by shells, interpreters and programs at startup. */
const steering = new Set([
  ...[
    'BASH_ENV',
    'ENV',
    'ZDOTDIR',
    'FPATH',
    'SHELLOPTS',
    'BASHOPTS',
    'PS4',
    'PROMPT_COMMAND',
    'IFS',
    'CDPATH',
    'GLOBIGNORE',
  ],
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_REPL_EXTERNAL_MODULE', 'DENO_DIR', 'BUN_OPTIONS'],
  ...[
    'PYTHONSTARTUP',
    'PYTHONPATH',
    'PYTHONHOME',
    'PYTHONINSPECT',
    'PYTHONBREAKPOINT',
    'PYTHONUSERBASE',
    'PYTHONWARNINGS',
  ],
  ...['PERL5OPT', 'PERL5LIB', 'PERLLIB', 'PERL5DB', 'RUBYOPT', 'RUBYLIB', 'PHPRC', 'PHP_INI_SCAN_DIR'],
  ...['JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'JDK_JAVA_OPTIONS', 'CLASSPATH'],
  ...['PAGER', 'MANPAGER', 'LESSOPEN', 'LESSCLOSE', 'EDITOR', 'VISUAL', 'BROWSER', 'SSH_ASKPASS', 'SUDO_ASKPASS'],
  ...['RIPGREP_CONFIG_PATH', 'CURL_HOME', 'WGETRC', 'INPUTRC', 'TERMINFO', 'TERMCAP', 'GCONV_PATH', 'HOSTALIASES'],
  ...['OLDPWD', 'SHLVL', '_'],
])
