import { createHash } from 'node:crypto';

const maxLength = 63;

/**
 * A valid cluster name for the name of a kubeconfig context, which may be anything: 'arn:aws:eks:…:cluster/Prod'
 * becomes 'arn-aws-eks-…-cluster-prod'. One that is too long keeps its start and gets a hash, so that two long ones
 * stay apart. '' when nothing is left of it.
 */
export function clusterNameOf(context: string): string {
  const name = context
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/-*\.[-.]*/g, '.')
    .replace(/^[-.]+|[-.]+$/g, '');
  if (name.length <= maxLength) return name;
  const hash = createHash('sha256').update(context).digest('hex').slice(0, 8);
  return `${name.slice(0, maxLength - hash.length - 1).replace(/[-.]+$/, '')}-${hash}`;
}
