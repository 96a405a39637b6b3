import { getCACertificates } from 'node:tls';
import type { Environment } from '../git-source.ts';

/** The protocols of git that a source may need; git refuses all others, also where a repository asks for them. */
export type GitProtocol = 'http' | 'ssh' | 'git' | 'file';

export interface GitEnvironmentOptions {
  /** What we were started with: PATH, proxies and the ssh agent are passed on, and nothing else. */
  readonly environment: Environment;
  /** A folder of ours that git takes for the home of its user. */
  readonly home: string;
  readonly configPath: string;
  readonly protocol: GitProtocol;
  /** For protocol ssh. */
  readonly sshCommand?: string;
  /** Certificates to trust in place of the system's, as a PEM file. */
  readonly caPath?: string;
}

const usualPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

const passedOn = ['SSH_AUTH_SOCK', 'TMPDIR', 'ALL_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'no_proxy'] as const;

/**
 * The one configuration that git reads. No hook, helper or prompt of the machine takes part; a fetch is always one pack
 * and nothing tidies up behind our back; no file, however large, is held in memory as a whole. That a repository belongs to somebody else does not count here: it is named in
 * the settings, and only ever read through upload-pack, which is made for such.
 */
export const gitConfig = `[core]
	hooksPath = /dev/null
	bigFileThreshold = 16m
	packedGitWindowSize = 16m
	packedGitLimit = 64m
[fetch]
	unpackLimit = 1
[gc]
	auto = 0
[maintenance]
	auto = false
[http]
	followRedirects = false
[credential]
	helper =
[protocol]
	version = 2
[safe]
	directory = *
`;

/** All that git gets to see of the world. No secret is in it. */
export function gitEnvironment(options: GitEnvironmentOptions): Record<string, string> {
  const { environment, home, configPath, protocol, sshCommand, caPath } = options;
  const kept = passedOn.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // curl takes the proxy for http:// from the lower-case variable alone; our own client takes either.
  const httpProxy = environment['http_proxy'] ?? environment['HTTP_PROXY'];
  const httpsProxy = environment['https_proxy'];
  return {
    ...Object.fromEntries(kept),
    ...(httpProxy === undefined ? {} : { http_proxy: httpProxy }),
    ...(httpsProxy === undefined ? {} : { https_proxy: httpsProxy }),
    PATH: environment['PATH'] ?? usualPath,
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configPath,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: protocol === 'http' ? 'http:https' : protocol,
    ...(sshCommand === undefined ? {} : { GIT_SSH_COMMAND: sshCommand, GIT_SSH_VARIANT: 'ssh' }),
    ...(caPath === undefined ? {} : { GIT_SSL_CAINFO: caPath }),
  };
}

/**
 * The Authorization header as configuration in the environment, where no other user can read it: neither arguments nor
 * files hold it. It is bound to the repository's own address.
 */
export function authorizationVariables(
  url: string,
  authorization: string | undefined,
): Record<string, string> {
  if (authorization === undefined) return {};
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${url}.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: ${authorization}`,
  };
}

/**
 * The authorities that our own HTTP client trusts, for a git that knows nothing of NODE_EXTRA_CA_CERTS; undefined where
 * that is not set and the system's serve both.
 */
export function trustedCertificates(environment: Environment): string | undefined {
  return (environment['NODE_EXTRA_CA_CERTS'] ?? '') === ''
    ? undefined
    : getCACertificates('default').join('\n');
}
