/** Programs whose arguments can run code, and the subcommands whose arguments cannot. */
interface Runner {
  /** Completes a sentence that starts with the program. */
  readonly why: string
  /** Subcommands whose plain arguments neither run code nor write settings, so a rule may leave them open. */
  readonly open: readonly string[]
}

/** Finds a program by name or path: `/usr/bin/python3.12` is `python`. */
export function findRunner(word: string): Runner | undefined {
  const name = word.replace(/^.*[\\/]/, '').toLowerCase()
  const known = runners.get(name) ?? runners.get(name.replace(/\.(?:exe|cmd|bat)$/, '').replace(/-?[\d.]*\d$/, ''))
  return known ?? (word.includes('=') ? assignment : undefined)
}

const assignment: Runner = { why: 'sets a variable for the program that follows', open: [] }

/** An argument of these can be a program, a script, a setting that names one, or a file to write. */
const reasons: readonly (readonly [programs: string, why: string])[] = [
  [
    'sh bash zsh dash fish ksh csh tcsh cmd powershell pwsh busybox eval source . exec',
    'runs its arguments as commands',
  ],
  ['if then else elif do while until for case function select coproc ! [[', 'is shell syntax that a program follows'],
  ['sudo doas su runuser env xargs parallel command builtin nohup nice ionice time timeout setsid stdbuf script', 'runs the program that its arguments name'], // biome-ignore format: one line
  ['watch entr chroot unshare nsenter flock strace ltrace gdb lldb valgrind perf at batch', 'runs the program that its arguments name'], // biome-ignore format: one line
  ['ssh scp sftp rsync mosh vagrant ansible ansible-playbook', 'runs programs on other machines, or names one to connect with'], // biome-ignore format: one line
  ['node deno bun tsx ts-node python pypy ipython perl ruby irb php lua java groovy scala rscript tclsh expect osascript', 'runs the script that its arguments name'], // biome-ignore format: one line
  ['npx bunx pnpx uvx pipx corepack', 'downloads and runs packages'],
  ['uv poetry hatch tox nox pdm conda bundle gem composer mvn gradle gradlew ant sbt', 'runs scripts and plugins that its arguments name'], // biome-ignore format: one line
  ['make gmake cmake ninja meson bazel just task rake invoke', 'takes settings as arguments, and runs the commands that they name'], // biome-ignore format: one line
  ['pytest jest vitest mocha ava', 'runs the files that its arguments name'],
  ['awk gawk mawk nawk sed find fd ed ex dc m4', 'has its own language, which can run programs and write files'],
  ['vim vi nvim view emacs nano less more man tmux screen', 'runs programs from inside'],
  ['tar unzip 7z cpio patch', 'writes the files that its archive or patch names'],
  ['cp mv ln install tee dd', 'writes any file, hooks and settings included'],
  ['apt apt-get dpkg yum dnf rpm pacman apk brew snap', 'installs packages, and runs their scripts'],
  ['systemctl launchctl crontab', 'decides what the system runs'],
  ['toolpact', 'decides what tools may do'],
]

/** Programs with subcommands. Subcommands that are not listed can run programs or write settings. */
const subcommands: readonly (readonly [programs: string, why: string, open: string])[] = [
  [
    'git',
    'runs programs that its settings and some arguments name (core.fsmonitor, ext::)',
    'status log diff show add rm mv restore checkout switch commit branch tag merge stash blame ls-files rev-parse describe shortlog', // biome-ignore format: one line
  ],
  ['npm pnpm', 'runs scripts of packages, and writes settings that name programs', 'run test ls outdated why'],
  ['yarn', 'runs scripts and programs of packages', 'test list why outdated'],
  ['pip', 'runs the set-up of packages that its arguments name', 'list show freeze check'],
  ['cargo', 'runs packages and plugins that its arguments name', 'build check test clippy doc tree'],
  ['go', 'runs packages and tools that its arguments name', 'build vet test list doc'],
  ['docker podman nerdctl', 'runs images with access to this machine', 'ps images logs inspect'],
  ['kubectl helm', 'runs programs in a cluster', 'get describe logs list status'],
]

const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ...reasons.flatMap(([programs, why]) => programs.split(' ').map((name) => [name, { why, open: [] }] as const)),
  ...subcommands.flatMap(([programs, why, open]) =>
    programs.split(' ').map((name) => [name, { why, open: open.split(' ') }] as const),
  ),
])
