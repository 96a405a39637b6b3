import type { Finding } from '../../model/finding.ts';

/** What was read of a fleet repository, and everything found. */
export interface ValidationResult {
  /** Full commit id; 'working-copy' for a folder. */
  readonly revision: string;
  /** '1.36': the Kubernetes whose kinds are known. */
  readonly kubernetes: string;
  /** The fleet's folder in its repository; '' is the root. */
  readonly root: string;
  /** Manifests, from the fleet's root, sorted. */
  readonly files: readonly string[];
  readonly clusters: readonly string[];
  /** Sorted by place. */
  readonly findings: readonly Finding[];
  /** What a reader should know of how it was looked at. */
  readonly notes: readonly string[];
}

/** The result with warnings made errors. */
export function withStrictness(result: ValidationResult): ValidationResult {
  return { ...result, findings: result.findings.map((finding) => ({ ...finding, severity: 'error' })) };
}

export function countFindings({ findings }: Pick<ValidationResult, 'findings'>) {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}
