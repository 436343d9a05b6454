/** An environment variable that makes a program run code beyond its command. */
export interface CodeVariable {
  readonly name: string
  readonly value: string
  /** Completes a sentence that starts with the variable. */
  readonly why: string
}

/** Variables of a server's environment that a person should review before the server starts. */
export function findCodeVariables(environment: { readonly [name: string]: string }): CodeVariable[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const why = forms.find(([form]) => form.test(name))?.[1]
    return why === undefined ? [] : [{ name, value, why }]
  })
}

const forms: readonly (readonly [form: RegExp, why: string])[] = [
  [/^(?:LD_|DYLD_)/, 'loads other libraries into every program'],
  [/^(?:GCONV_PATH|OPENSSL_CONF|OPENSSL_MODULES|OPENSSL_ENGINES)$/, 'loads other libraries into many programs'],
  [/^(?:NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|BUN_OPTIONS)$/, 'makes Node.js or Bun load other code'],
  [/^npm_config_/i, 'changes what npm and npx install and run'],
  [
    /^PYTHON(?:STARTUP|PATH|HOME|USERBASE|BREAKPOINT|WARNINGS|PLATLIBDIR|PYCACHEPREFIX)$/,
    'makes Python load other code',
  ],
  [/^(?:PIP_(?:.*INDEX_URL|CONFIG_FILE|FIND_LINKS)|UV_(?:.*INDEX.*|FIND_LINKS|CONFIG_FILE|PYTHON.*))$/, 'changes what pip and uv install and run'], // biome-ignore format: one line
  [/^(?:BASH_ENV|ENV|ZDOTDIR|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|BASH_FUNC_.*)$/, 'makes shells run other code'],
  [/^(?:PERL5OPT|PERL5LIB|PERLLIB|PERL5DB)$/, 'makes Perl load other code'],
  [/^(?:RUBYOPT|RUBYLIB|GEM_HOME|GEM_PATH|BUNDLE_GEMFILE)$/, 'makes Ruby load other code'],
  [/^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH)$/, 'makes Java load other code'],
  [/^(?:DOTNET_STARTUP_HOOKS|(?:CORECLR|COR)_PROFILER.*|DOTNET_ADDITIONAL_DEPS)$/, 'makes .NET load other code'],
  [/^(?:PHPRC|PHP_INI_SCAN_DIR|LUA_INIT.*|LUA_C?PATH.*)$/, 'makes PHP or Lua load other code'],
  [/^(?:LESSOPEN|LESSCLOSE|SSH_ASKPASS)$/, 'names a program that others run'],
  [/^GIT_(?!AUTHOR_|COMMITTER_|TERMINAL_PROMPT$|TRACE)/, 'changes which programs and settings git uses'],
]
