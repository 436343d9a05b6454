/** How a subcommand of git may be called so that it runs no program named in its words. */
export interface GitSubcommand {
  /** By name, as in `--message` and `-m`. */
  readonly options: ReadonlyMap<string, OptionValue>
  /** Whether it records something in the config of the repository: always, or with one of these options. */
  readonly writesConfig: boolean | readonly string[]
  /** Whether words that are not options are harmless too. */
  readonly accepts: (operands: readonly string[], options: readonly string[]) => boolean
  /** Whether it may run hooks of another local repository. */
  readonly pushes: boolean
}

/**
 * An attached value is the rest of the word. A separate one may also be the next word, even if that looks like an
 * option.
 */
type OptionValue = 'none' | 'attached' | 'separate'

export function findGitSubcommand(name: string): GitSubcommand | undefined {
  return Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
}

/** Whether a setting names neither a program nor a settings file. */
export function isHarmlessSetting(name: string): boolean {
  return /^(?:(?:user|author|committer|color|commit|advice|log)\.[\w.-]+|branch\..+\.(?:description|rebase)|pull\.(?:rebase|ff)|push\.(?:default|followtags|autosetupremote)|fetch\.prune|rebase\.(?:autostash|autosquash)|merge\.(?:ff|conflictstyle)|init\.defaultbranch|core\.(?:quotepath|autocrlf|abbrev|filemode))$/i.test(
    name,
  )
}

/**
 * `-q` is a flag, `-U?` may have an attached value, `-m=` takes the next word if no value is attached. Only texts are
 * marked with `=`: every other word that looks like an option must be listed. Names are complete, because git also
 * accepts abbreviations of unlisted options. Not listed are options that run a program (`--exec`, `--upload-pack`,
 * `--open-files-in-pager`, `--strategy`, `--template`), write to any file (`--output`), or need a terminal.
 */
function define(words: string, rest: Partial<Omit<GitSubcommand, 'options'>> = {}): GitSubcommand {
  let options: GitSubcommand['options'] | undefined
  return {
    // Not before they are asked for: those of all subcommands would take a few milliseconds of every start.
    get options() {
      options ??= toOptions(words)
      return options
    },
    ...{ writesConfig: false, accepts: () => true, pushes: false, ...rest },
  }
}

function toOptions(words: string): ReadonlyMap<string, OptionValue> {
  const kinds = { '=': 'separate', '?': 'attached' } as const
  const entries = words
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word): [string, OptionValue] => {
      const kind = kinds[word.at(-1) as keyof typeof kinds]
      return kind ? [word.slice(0, -1), kind] : [word, 'none']
    })
  return new Map(entries)
}

/** Ordinary flags: more letters may follow in the same word. */
const digits = '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9'

const diffOptions = `
  -p -u -U? -w -b -M? -C? -R -a -z -W -s -S? -G? --patch --no-patch --unified --stat --numstat --shortstat --dirstat --summary
  --compact-summary --name-only --name-status --raw --check --color --no-color --word-diff --color-words --color-moved
  --full-index --binary --abbrev --no-prefix --find-renames --find-copies --no-renames --diff-filter --relative --minimal
  --patience --histogram --diff-algorithm --ignore-all-space --ignore-space-change --ignore-space-at-eol
  --ignore-blank-lines --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules --submodule
  --text --pickaxe-all --pickaxe-regex`

const logOptions = `${diffOptions} ${digits}
  -n? -i -E -F -P -q -g -c -m -t -L? --cc --oneline --graph --all --branches --tags --remotes --decorate --no-decorate --format
  --pretty --date --since --until --after --before --author --committer --grep --all-match --invert-grep --max-count --skip
  --reverse --follow --merges --no-merges --first-parent --topo-order --date-order --abbrev-commit --no-abbrev-commit
  --cherry-pick --cherry-mark --cherry --left-right --left-only --right-only --boundary --ancestry-path --walk-reflogs --full-history --simplify-merges
  --show-signature --parents --children --source --no-walk --not`

const sequencerOptions = `
  -n -s -S? -X? -e --no-commit --commit --edit --no-edit --signoff --no-signoff --gpg-sign --no-gpg-sign --strategy-option
  --continue --abort --quit --skip --ff --allow-empty --allow-empty-message -m? --mainline --cleanup`

const mergeOptions = `
  -q -v -n -X? -S? --quiet --verbose --stat --no-stat --ff --no-ff --ff-only --squash --no-squash --commit --no-commit --edit
  --no-edit --signoff --autostash --no-autostash --strategy-option --allow-unrelated-histories --no-verify
  --verify-signatures --gpg-sign --no-gpg-sign --progress --no-progress --log --no-log --cleanup`

const fetchOptions = `
  -a -f -p -t -k -j? -4 -6 --all --append --force --prune --tags --no-tags --jobs --depth --deepen --shallow-since --unshallow
  --dry-run --keep --recurse-submodules --no-recurse-submodules --show-forced-updates`

const switchOptions = `
  -q -f -t -m -d --quiet --force --track --no-track --merge --detach --guess --no-guess --progress --no-progress --conflict
  --orphan --ignore-other-worktrees --recurse-submodules --no-recurse-submodules`

const listOptions = `
  --list --sort --format --contains --no-contains --merged --no-merged --points-at --ignore-case --column --no-column --color
  --no-color`

const subcommands: { readonly [name: string]: GitSubcommand } = {
  add: define(`-n -v -f -u -A -N --dry-run --verbose --force --update --all --no-all --intent-to-add --renormalize --refresh
    --ignore-removal --ignore-errors --ignore-missing --sparse --chmod`),
  am: define('-3 -q -s -k --3way --quiet --signoff --keep --continue --skip --abort --quit --resolved'),
  apply:
    define(`-3 -R -p? -v -q --3way --reverse --check --index --cached --stat --numstat --summary --recount --reject --verbose
    --quiet --whitespace --ignore-whitespace --ignore-space-change --exclude --include`),
  bisect: define('', { accepts: startsWith('start good bad new old skip reset log terms') }),
  blame:
    define(`-L? -w -M? -C? -e -l -s -t -n -f -p -b --root --porcelain --line-porcelain --show-email --show-name --show-number --since
    --date --reverse --first-parent --abbrev --ignore-rev --minimal`),
  branch: define(
    `-v -q -t -u? -r -a -d -D -m -M -c -C -l -f -i ${listOptions} --verbose --quiet --track --no-track --set-upstream-to
    --unset-upstream --remotes --all --delete --move --copy --show-current --create-reflog --force --abbrev --no-abbrev`,
    { writesConfig: true },
  ),
  'cat-file': define('-t -s -e -p'),
  checkout: define(`${switchOptions} -b? -B? -l --ours --theirs --overlay --no-overlay`, { writesConfig: true }),
  'cherry-pick': define(`${sequencerOptions} -x --keep-redundant-commits`),
  clean: define('-n -f -d -x -X -q -e? --dry-run --force --quiet --exclude'),
  commit:
    define(`-q -v -F? -m= -C? -s -a -i -o -n -u? -z -S? --quiet --verbose --file --author --date --message= --reuse-message
    --fixup --squash --reset-author --trailer --signoff --no-signoff --cleanup --all --include --only --no-verify --dry-run
    --short --branch --porcelain --long --null --amend --no-edit --no-post-rewrite --untracked-files --allow-empty
    --allow-empty-message --gpg-sign --no-gpg-sign`),
  config: define(
    `-l -z --get --get-all --get-regexp --list --show-origin --show-scope --name-only --null --local --global --add --replace-all
    --unset --unset-all --bool --int`,
    { writesConfig: true, accepts: acceptsSetting },
  ),
  describe:
    define(`--all --tags --long --first-parent --abbrev --exact-match --always --dirty --broken --contains --match
    --exclude`),
  diff: define(`${diffOptions} ${digits} --cached --staged --merge-base --no-index --base --ours --theirs`),
  fetch: define(
    `${fetchOptions} -q -v -n -P --quiet --verbose --progress --no-progress --prune-tags --atomic --multiple`,
    {
      accepts: namesNoHelper,
    },
  ),
  'for-each-ref': define(`${listOptions} --count`),
  fsck: define('-v --full --strict --unreachable --dangling --no-dangling --no-reflogs --connectivity-only --progress'),
  gc: define('-q --quiet --auto --aggressive --prune --force --no-prune'),
  grep: define(`${digits} -v -i -w -a -I -r -h -H -E -G -F -P -n -l -L -z -o -c -C? -B? -A? -p -W -e? -q -m? --cached --untracked
    --no-index --exclude-standard --recurse-submodules --invert-match --ignore-case --word-regexp --text --recursive
    --max-depth --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --full-name
    --files-with-matches --name-only --files-without-match --null --only-matching --count --color --no-color --break
    --heading --context --before-context --after-context --threads --show-function --function-context --and --or --not
    --quiet --all-match`),
  init: define('-q -b? --quiet --bare --initial-branch', { writesConfig: true }),
  log: define(logOptions),
  'ls-files':
    define(`-c -d -m -o -i -s -u -k -t -v -f -z -x? --cached --deleted --modified --others --ignored --stage --unmerged --killed
    --directory --eol --full-name --exclude --exclude-standard --error-unmatch --abbrev --recurse-submodules
    --deduplicate`),
  'ls-tree': define('-r -d -t -l -z --long --name-only --name-status --full-name --full-tree --abbrev'),
  merge: define(`${mergeOptions} -m= -F? -e --message= --abort --quit --continue`),
  'merge-base': define('-a --all --octopus --independent --is-ancestor --fork-point'),
  mv: define('-v -n -f -k --verbose --dry-run --force --sparse'),
  notes: define('-m? -F? -C? -f -v -q', { accepts: startsWith('list add append copy show remove') }),
  pull: define(`${mergeOptions} ${fetchOptions} -r? --rebase --no-rebase`, { accepts: namesNoHelper }),
  push: define(
    `-v -q -d -n -f -u -o? -4 -6 --verbose --quiet --all --delete --tags --follow-tags --dry-run --porcelain --force
    --force-with-lease --force-if-includes --set-upstream --progress --no-progress --prune --no-verify --atomic
    --push-option`,
    { writesConfig: ['-u', '--set-upstream'], accepts: namesNoHelper, pushes: true },
  ),
  rebase:
    define(`-q -v -n -f -S? -X? -r? --onto --keep-base --no-verify --quiet --verbose --stat --no-stat --signoff --force-rebase
    --no-ff --continue --skip --abort --quit --show-current-patch --apply --merge --rerere-autoupdate --empty --keep-empty
    --no-keep-empty --update-refs --no-update-refs --gpg-sign --no-gpg-sign --autostash --no-autostash --rebase-merges
    --no-rebase-merges --fork-point --no-fork-point --strategy-option --root --reapply-cherry-picks
    --committer-date-is-author-date --reset-author-date --ignore-whitespace`),
  reflog: define(`${logOptions} --expire --dry-run --verbose`),
  remote: define('-v -n -p --verbose --tags --no-tags --push --all --add --delete --prune --dry-run', {
    writesConfig: true,
    accepts: acceptsRemote,
  }),
  reset: define('-q -N --quiet --mixed --soft --hard --merge --keep --intent-to-add --no-refresh --refresh'),
  restore:
    define(`-s? -S -W -q -m --source --staged --worktree --quiet --progress --no-progress --merge --conflict --ours --theirs
    --ignore-unmerged --overlay --no-overlay --recurse-submodules`),
  'rev-list': define(`${logOptions} --count --objects --timestamp`),
  'rev-parse':
    define(`-q --verify --quiet --short --abbrev-ref --symbolic --symbolic-full-name --all --branches --tags --remotes
    --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree
    --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-superproject-working-tree --git-path
    --show-object-format --path-format --revs-only --no-revs --flags --no-flags --default --since --until`),
  revert: define(`${sequencerOptions} --reference`),
  rm: define('-n -q -r -f --dry-run --quiet --cached --force --ignore-unmatch --sparse'),
  shortlog: define(`${logOptions} -n -s -e --numbered --summary --email --group`),
  show: define(logOptions),
  'show-ref': define('-d -q --tags --heads --branches --verify --head --dereference --hash --abbrev --quiet'),
  'sparse-checkout': define('--cone --no-cone --sparse-index --no-sparse-index', { writesConfig: true }),
  stash:
    define(`${diffOptions} -k -q -m? -a --keep-index --no-keep-index --quiet --message --include-untracked --all --index
    --staged --oneline --only-untracked`),
  status:
    define(`-v -s -b -z -u? --verbose --short --branch --show-stash --ahead-behind --no-ahead-behind --porcelain --long --null
    --untracked-files --ignored --ignore-submodules --column --no-column --renames --no-renames --find-renames`),
  submodule: define(
    `-q -f --quiet --cached --init --recursive --remote --force --checkout --merge --rebase --depth --name --jobs
    --no-fetch --all --default`,
    {
      writesConfig: true,
      accepts: startsWith('add status init deinit update summary sync absorbgitdirs set-branch set-url'),
    },
  ),
  switch: define(`${switchOptions} -c? -C? --create --force-create --discard-changes`, { writesConfig: true }),
  'symbolic-ref': define('-q -d --quiet --delete --short'),
  tag: define(`-l -d -v -a -m= -F? -s -u? -f -n? -i ${listOptions} --delete --verify --annotate --message= --file --sign
    --no-sign --force --cleanup --local-user --create-reflog`),
  'update-index': define(`-q --add --remove --refresh --really-refresh --chmod --assume-unchanged --no-assume-unchanged
    --skip-worktree --no-skip-worktree --again --force-remove`),
  worktree: define(
    `-f -b? -B? -d -v -q -n -z --force --detach --checkout --no-checkout --track --no-track --guess-remote --lock --reason
    --orphan --quiet --porcelain --verbose --dry-run --expire`,
    { writesConfig: true },
  ),
}

function startsWith(names: string): GitSubcommand['accepts'] {
  const allowed = names.split(' ')
  return ([first]) => first === undefined || allowed.includes(first)
}

/** Git runs `git-remote-NAME` for an address such as `NAME::address`. */
function namesNoHelper(operands: readonly string[]): boolean {
  return !operands.some((word) => word.includes('::'))
}

/** Any setting may be read. */
function acceptsSetting(operands: readonly string[], options: readonly string[]): boolean {
  if (options.some((name) => /^(?:-l|--list|--get.*)$/.test(name))) return true
  const [verb, ...rest] = operands
  if (verb === undefined || verb === 'list' || verb === 'get') return true
  return isHarmlessSetting((verb === 'set' || verb === 'unset' ? rest[0] : verb) ?? '')
}

/** A push to a repository on this machine runs the hooks of that repository. */
function acceptsRemote([verb, ...operands]: readonly string[]): boolean {
  if (verb === 'add' || verb === 'set-url')
    return operands.slice(1).every((url) => /^(?:(?:https?|ssh|git):\/\/|[\w.-]+@[\w.-]+:)/.test(url))
  return true
}
