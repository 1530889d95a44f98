import { type PolicyDocument, readPolicy } from './policy.ts';

/** Where a resource's policy is kept: its text or the read document; undefined where the resource has none. */
export type PolicyKeeper = (arn: string) => string | PolicyDocument | undefined;

/**
 * One look-up over everything that keeps resource policies, by the service in their ARNs (`sqs`, `sns`, `iam` for trust). A text is read once; one that IAM could not
 * read counts as a fault and throws MalformedPolicyDocument.
 */
export function createResourcePolicies(
  keepers: Readonly<Record<string, PolicyKeeper>>,
): (arn: string) => PolicyDocument | undefined {
  const read = new Map<string, PolicyDocument>();
  return (arn) => {
    const kept = keepers[arn.split(':')[2] ?? '']?.(arn);
    if (kept === undefined || kept === '') return undefined;
    if (typeof kept !== 'string') return kept;
    const document = read.get(kept) ?? readPolicy(kept, 'resource');
    read.set(kept, document);
    return document;
  };
}
