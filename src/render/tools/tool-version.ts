/** A program that renders, as it was found on this machine. */
export interface Tool {
  readonly name: 'kustomize' | 'kubectl' | 'helm';
  readonly path: string;
  /** What decides its output, for people and for cache keys: 'helm v4.2.3', 'kubectl v1.36.3 with kustomize v5.8.1'. */
  readonly version: string;
}

type ToolName = Tool['name'];

interface Requirement {
  /** Prints the version on standard output without reading any file. */
  readonly args: readonly string[];
  /** The oldest version that does. */
  readonly minimum: string;
  /** Where a person gets it. */
  readonly install: string;
}

export const toolRequirements: Readonly<Record<ToolName, Requirement>> = {
  kustomize: {
    args: ['version'],
    minimum: '5.0.0',
    install: 'https://kubectl.docs.kubernetes.io/installation/kustomize/',
  },
  kubectl: {
    args: ['version', '--client', '--output=json'],
    minimum: '1.27.0',
    install: 'https://kubernetes.io/docs/tasks/tools/',
  },
  helm: {
    args: ['version', '--template={{.Version}}'],
    minimum: '3.14.0',
    install: 'https://helm.sh/docs/intro/install/',
  },
};

export type ToolVersion =
  { readonly ok: true; readonly version: string } | { readonly ok: false; readonly message: string };

/** What a tool's answer to `toolRequirements[name].args` says, held against the oldest version that does. */
export function readToolVersion(name: ToolName, output: string): ToolVersion {
  const own = name === 'kubectl' ? /"gitVersion":\s*"v([^"]+)"/.exec(output)?.[1] : plainVersion(output);
  if (own === undefined) return { ok: false, message: 'does not say which version it is' };
  const { minimum } = toolRequirements[name];
  if (compareVersions(own, minimum) < 0) {
    return { ok: false, message: `is version ${own}; ${minimum} or newer is needed` };
  }
  const embedded = /"kustomizeVersion":\s*"([^"]+)"/.exec(output)?.[1];
  return {
    ok: true,
    version: `${name} v${own}${name === 'kubectl' && embedded !== undefined ? ` with kustomize ${embedded}` : ''}`,
  };
}

/** 'v5.8.1', and '{Version:kustomize/v4.5.7 GitCommit:…}' of kustomize before 5. */
function plainVersion(output: string): string | undefined {
  return /\bv(\d+\.\d+\.\d+[\w.+-]*)/.exec(output)?.[1];
}

/** By major, minor and patch; a pre-release counts as its release. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (const [index, number] of left.entries()) {
    const difference = number - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): number[] {
  return version
    .split('.')
    .slice(0, 3)
    .map((part) => Number.parseInt(part, 10));
}
