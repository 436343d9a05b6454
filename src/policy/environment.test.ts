import { expect, test } from 'vitest'
import { decideEnvironment } from './environment.ts'

test('what a developer needs stays', () => {
  const environment = {
    PATH: '/usr/bin:/bin',
    HOME: '/home/ada',
    LANG: 'en_GB.UTF-8',
    LC_ALL: 'C',
    USER: 'ada',
    SHELL: '/bin/bash',
    TMPDIR: '/tmp',
    TZ: 'UTC',
    JAVA_HOME: '/usr/lib/jvm',
    GOPATH: '/home/ada/go',
    VIRTUAL_ENV: '/home/ada/.venv',
    NVM_DIR: '/home/ada/.nvm',
    CI: 'true',
    NODE_ENV: 'test',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    HTTPS_PROXY: 'http://proxy.example:3128',
    KEYBOARD: 'us',
    MONKEY: 'business',
    PWD: '/home/ada',
  }
  expect(decideEnvironment(environment)).toEqual({ kept: environment, dropped: [] })
})

test.each([
  ['OPENAI_API_KEY', 'x'],
  ['OPENAI_KEY', 'x'],
  ['AWS_SECRET_ACCESS_KEY', 'x'],
  ['AWS_SESSION_TOKEN', 'x'],
  ['GITHUB_TOKEN', 'x'],
  ['NPM_TOKEN', 'x'],
  ['DB_PASSWORD', 'x'],
  ['MYSQL_PWD', 'x'],
  ['SSH_AUTH_SOCK', '/tmp/agent'],
  ['DBUS_SESSION_BUS_ADDRESS', 'unix:path=/run/user/1000/bus'],
  ['DATABASE_URL', 'postgres://ada:secret@db.example/x'],
  ['HTTPS_PROXY', 'http://ada:secret@proxy.example:3128'],
  ['NOTHING_SPECIAL', `ghp_${'a1B2'.repeat(9)}`],
  ['BASH_ENV', '/tmp/x'],
  ['ENV', '/tmp/x'],
  ['ZDOTDIR', '/tmp'],
  ['NODE_OPTIONS', '--require /tmp/x'],
  ['LD_PRELOAD', '/tmp/x.so'],
  ['LD_AUDIT', '/tmp/x.so'],
  ['DYLD_INSERT_LIBRARIES', '/tmp/x'],
  ['PYTHONSTARTUP', '/tmp/x'],
  ['PERL5OPT', '-Mx'],
  ['RUBYOPT', '-rx'],
  ['JAVA_TOOL_OPTIONS', '-javaagent:x'],
  ['GIT_SSH_COMMAND', 'x'],
  ['GIT_EXTERNAL_DIFF', 'x'],
  ['GIT_CONFIG_COUNT', '1'],
  ['GIT_DIR', '/x'],
  ['git_pager', 'x'],
  ['LESSOPEN', '|x'],
  ['PAGER', 'x'],
  ['BASH_FUNC_ls%%', '() { x; }'],
  ['anything', '() { :; }; x'],
  ['npm_config_script_shell', 'x'],
  ['RIPGREP_CONFIG_PATH', 'x'],
  ['TOOLPACT_HTTP', 'x'],
])('%s goes', (name, value) => {
  expect(decideEnvironment({ [name]: value })).toEqual({ kept: {}, dropped: [name] })
})

test('an exception stays', () => {
  expect(decideEnvironment({ GITHUB_TOKEN: 'x', NPM_TOKEN: 'y', A: undefined }, ['GITHUB_TOKEN'])).toEqual({
    kept: { GITHUB_TOKEN: 'x' },
    dropped: ['NPM_TOKEN'],
  })
})
