import { existsSync, readFileSync } from 'node:fs'
import type { SandboxUnavailable } from '../sandbox.ts'

/** What the machine says about user namespaces. */
export interface NamespaceFacts {
  /** Ubuntu since 23.10: AppArmor forbids user namespaces to programs without a profile. */
  readonly appArmor: boolean
  /** Debian's switch, or a limit of zero. */
  readonly switchedOff: boolean
  readonly container: boolean
}

/** Why bubblewrap failed, and what would help, from the first line of its complaint. */
export function explainFailure(complaint: string, facts = readFacts()): SandboxUnavailable {
  const reason = `bubblewrap does not work here: ${complaint}`
  if (!/namespace|uid map|RTM_NEWADDR|[Oo]peration not permitted|[Pp]ermission denied|No space left/.test(complaint))
    return { reason, suggestion: byHand }
  if (facts.container)
    return {
      reason: `${reason} (this is a container that may not create user namespaces)`,
      suggestion:
        'start the container with --security-opt seccomp=unconfined and --security-opt systempaths=unconfined, or give each server a container of its own',
    }
  if (facts.appArmor)
    return {
      reason: `${reason} (AppArmor forbids user namespaces to programs without a profile, as Ubuntu does since 23.10)`,
      suggestion:
        'allow bubblewrap in AppArmor: apt-get install apparmor-profiles, then ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ and systemctl reload apparmor',
    }
  if (facts.switchedOff)
    return {
      reason: `${reason} (user namespaces are switched off)`,
      suggestion: 'run sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000',
    }
  return { reason, suggestion: byHand }
}

const byHand = 'make `bwrap --unshare-all --ro-bind / / true` work, which needs user namespaces'

function readFacts(): NamespaceFacts {
  return {
    appArmor: read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1',
    switchedOff: read('/proc/sys/kernel/unprivileged_userns_clone') === '0' || read('/proc/sys/user/max_user_namespaces') === '0', // biome-ignore format: one line
    container:
      existsSync('/.dockerenv') || existsSync('/run/.containerenv') || 'KUBERNETES_SERVICE_HOST' in process.env,
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}
