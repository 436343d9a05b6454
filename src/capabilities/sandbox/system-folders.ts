/** Programs, libraries and settings of Linux. `/var` and `/run` contain sockets and data of services. */
export const linuxFolders: readonly string[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt'],
  ...['/nix/store', '/nix/var/nix/profiles', '/gnu/store', '/run/current-system'],
  ...['/var/lib/dpkg', '/var/lib/ca-certificates', '/var/lib/alternatives'],
  ...['/sys/devices/system', '/sys/fs/cgroup'],
]

/** The same of macOS. */
export const macFolders: readonly string[] = [
  ...['/usr', '/bin', '/sbin', '/System', '/Library', '/Applications', '/opt', '/nix', '/dev', '/private/etc'],
  ...['/private/var/db/timezone', '/private/var/db/dyld', '/private/var/select', '/private/preboot'],
]

/** What every confined program can read. */
export const systemFolders: readonly string[] = process.platform === 'darwin' ? macFolders : linuxFolders

/** Shared by all users. Empty for each confined program, writable, and discarded afterwards. */
export const temporaryFolders = ['/tmp', '/var/tmp', '/run']
