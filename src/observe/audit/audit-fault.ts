/** What is wrong with an audit log and what to do about it, in a sentence that names its path. */
export function auditFault(path: string, what: string, remedy: string): string {
  return `the audit log ${path} ${what}, so it cannot be told who deleted an object, nor which user edited one; ${remedy}`;
}

/** The file system refused to read it. */
export function unreadableFault(path: string, error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return auditFault(
        path,
        'does not exist',
        'mend spec.audit.path of the cluster, or start its API server with --audit-log-path and --audit-policy-file',
      );
    case 'EACCES':
    case 'EPERM':
      return auditFault(path, 'may not be read', 'let the user that runs Fleetwright read it');
    case 'EISDIR':
    case notAFile:
      return auditFault(path, 'is no file', 'mend spec.audit.path of the cluster');
    default:
      return auditFault(path, `cannot be read (${codeOf(error)})`, 'look at its file system');
  }
}

/** It holds lines, and none of them is an audit event. */
export function garbageFault(path: string): string {
  const what = 'holds no audit events of audit.k8s.io, one a line';
  return auditFault(path, what, 'start the API server with --audit-log-format=json, its default');
}

/** The code of the error for what is neither readable in pieces nor ever ends, such as a pipe. */
export const notAFile = 'ENOTAFILE';

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
