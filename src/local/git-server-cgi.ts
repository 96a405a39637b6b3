import type { IncomingMessage } from 'node:http';
import { type Environment, gitEnvironment } from './git-server-run.ts';

/** Whether a URL is one of smart HTTP; everything else that http-backend could serve is of no use here. */
export function isServed(url: string): boolean {
  return /^\/[\w.-]+\.git\/(info\/refs\?service=git-(upload|receive)-pack|git-(upload|receive)-pack)$/.test(
    url,
  );
}

/**
 * The CGI variables of a request.
 * Sources: git-http-backend(1) and RFC 3875. REMOTE_USER is what lets http-backend accept a push.
 */
export function cgiEnvironment(
  request: IncomingMessage,
  root: string,
  environment: Environment | undefined,
): Record<string, string> {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const headers = request.headers;
  return {
    ...gitEnvironment(environment),
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    REQUEST_METHOD: request.method ?? 'GET',
    PATH_INFO: path,
    QUERY_STRING: query,
    REMOTE_USER: 'local',
    REMOTE_ADDR: request.socket.remoteAddress ?? '',
    ...present('CONTENT_TYPE', headers['content-type']),
    ...present('CONTENT_LENGTH', headers['content-length']),
    ...present('HTTP_CONTENT_ENCODING', headers['content-encoding']),
    ...present('GIT_PROTOCOL', header(headers['git-protocol'])),
    ...configVariables({ 'uploadpack.allowAnySHA1InWant': 'true', 'http.receivepack': 'true' }),
  };
}

/** Git configuration through the environment, so that the repositories keep none of it. */
function configVariables(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  const pairs = entries.flatMap(([key, value], position) => [
    [`GIT_CONFIG_KEY_${position}`, key],
    [`GIT_CONFIG_VALUE_${position}`, value],
  ]);
  return {
    GIT_CONFIG_COUNT: String(entries.length),
    ...(Object.fromEntries(pairs) as Record<string, string>),
  };
}

function present(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
