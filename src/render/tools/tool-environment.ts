/** Nothing listens on port 9 of a machine of this century: whoever honours a proxy gets a refused connection at once. */
const deadProxy = 'http://127.0.0.1:9';

/**
 * The whole environment of a tool. It holds nothing of ours: no credential, no kubeconfig, no setting that could change
 * the output from one machine to the next. The proxies and Git's own switch keep a tool from the network where the
 * system has no better way; see network-isolation.ts.
 */
export function toolEnvironment(folders: {
  readonly home: string;
  readonly temp: string;
}): Record<string, string> {
  const { home, temp } = folders;
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: temp,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_DATA_HOME: `${home}/data`,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    KUBECONFIG: '/dev/null',
    HELM_NO_PLUGINS: '1',
    HTTP_PROXY: deadProxy,
    HTTPS_PROXY: deadProxy,
    ALL_PROXY: deadProxy,
    http_proxy: deadProxy,
    https_proxy: deadProxy,
    all_proxy: deadProxy,
    NO_PROXY: '',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}
