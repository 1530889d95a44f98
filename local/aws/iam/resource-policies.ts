import { type PolicyDocument, readPolicy } from './policy.ts';

/** Where a resource's policy is kept: its text, or undefined where the resource is not this keeper's or has none. */
export type PolicyKeeper = (arn: string) => string | undefined;

/**
 * One look-up over everything that keeps resource policies (queues, topics). A text is read once; one that IAM could not
 * read counts as a fault and throws MalformedPolicyDocument.
 */
export function createResourcePolicies(
  keepers: Readonly<Record<string, PolicyKeeper>>,
): (arn: string) => PolicyDocument | undefined {
  const read = new Map<string, PolicyDocument>();
  return (arn) => {
    const text = keepers[arn.split(':')[2] ?? '']?.(arn);
    if (text === undefined || text === '') return undefined;
    const document = read.get(text) ?? readPolicy(text);
    read.set(text, document);
    return document;
  };
}
