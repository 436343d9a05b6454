/** The number of a system call on each architecture that the filter supports. */
export interface SystemCall {
  readonly x64: number
  /** Missing if the architecture never had the call. */
  readonly arm64?: number
}

/** Calls whose arguments the filter inspects. */
export const inspected = {
  socket: { x64: 41, arm64: 198 },
  socketpair: { x64: 53, arm64: 199 },
  ioctl: { x64: 16, arm64: 29 },
  clone: { x64: 56, arm64: 220 },
  unshare: { x64: 272, arm64: 97 },
} as const satisfies Record<string, SystemCall>

/** Calls that fail as if the kernel lacked them: programs then fall back to older calls, which are filtered. */
export const absent = {
  // Its flags are in memory, which a filter cannot read.
  clone3: { x64: 435, arm64: 435 },
  // Opens sockets and files without the filtered system calls.
  io_uring_setup: { x64: 425, arm64: 425 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
} as const satisfies Record<string, SystemCall>

/** Calls that no command needs, and that are common ways out of a sandbox or into the kernel. */
export const denied = {
  // Other processes and their descriptors.
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  process_madvise: { x64: 440, arm64: 440 },
  kcmp: { x64: 312, arm64: 272 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  // Keyrings are not separated by namespaces.
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  keyctl: { x64: 250, arm64: 219 },
  // Interfaces with a history of kernel bugs.
  bpf: { x64: 321, arm64: 280 },
  perf_event_open: { x64: 298, arm64: 241 },
  userfaultfd: { x64: 323, arm64: 282 },
  fanotify_init: { x64: 300, arm64: 262 },
  // Mounts and namespaces.
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  chroot: { x64: 161, arm64: 51 },
  setns: { x64: 308, arm64: 268 },
  open_tree: { x64: 428, arm64: 428 },
  move_mount: { x64: 429, arm64: 429 },
  fsopen: { x64: 430, arm64: 430 },
  fsconfig: { x64: 431, arm64: 431 },
  fsmount: { x64: 432, arm64: 432 },
  fspick: { x64: 433, arm64: 433 },
  mount_setattr: { x64: 442, arm64: 442 },
  open_tree_attr: { x64: 467, arm64: 467 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  // The machine itself.
  kexec_load: { x64: 246, arm64: 104 },
  kexec_file_load: { x64: 320, arm64: 294 },
  init_module: { x64: 175, arm64: 105 },
  finit_module: { x64: 313, arm64: 273 },
  delete_module: { x64: 176, arm64: 106 },
  reboot: { x64: 169, arm64: 142 },
  swapon: { x64: 167, arm64: 224 },
  swapoff: { x64: 168, arm64: 225 },
  settimeofday: { x64: 164, arm64: 170 },
  clock_settime: { x64: 227, arm64: 112 },
  acct: { x64: 163, arm64: 89 },
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: { x64: 443, arm64: 443 },
  syslog: { x64: 103, arm64: 116 },
  vhangup: { x64: 153, arm64: 58 },
  iopl: { x64: 172 },
  ioperm: { x64: 173 },
} as const satisfies Record<string, SystemCall>
