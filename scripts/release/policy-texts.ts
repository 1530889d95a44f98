interface Policy {
  readonly PolicyName: string;
  /** Missing in a policy that depends on a condition. */
  readonly PolicyDocument?: { readonly Version: string; readonly Statement: readonly unknown[] };
}

/**
 * Splits a policy in two: the statements with the cluster's name in a key, as in `aws:ResourceTag/kubernetes.io/cluster/NAME`, become a
 * policy of their own, written as a text. CloudFormation has no functions in keys, and takes a policy document as text too. Pure.
 *
 * @throws Error if such a statement depends on a condition, which a text cannot
 */
export function splitPolicy(policy: Policy, marker: string): readonly unknown[] {
  const { PolicyName, PolicyDocument } = policy;
  const keyed = PolicyDocument?.Statement.filter((statement) => hasKey(statement, marker)) ?? [];
  if (PolicyDocument === undefined || keyed.length === 0) return [policy];
  const rest = PolicyDocument.Statement.filter((statement) => !keyed.includes(statement));
  const text = JSON.stringify(textOf({ ...PolicyDocument, Statement: keyed }));
  return [
    ...(rest.length > 0 ? [{ PolicyName, PolicyDocument: { ...PolicyDocument, Statement: rest } }] : []),
    { PolicyName: `${PolicyName}-groups`, PolicyDocument: { 'Fn::Sub': text } },
  ];
}

const hasKey = (value: unknown, marker: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, item]) => key.includes(marker) || hasKey(item, marker));

const isIntrinsic = (value: object): boolean =>
  Object.keys(value).length === 1 && /^(?:Ref|Fn::\w+)$/.test(Object.keys(value)[0] ?? '');

/** The same value with each intrinsic function in the syntax of `Fn::Sub`. */
function textOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textOf);
  if (typeof value !== 'object' || value === null) return value;
  if (!isIntrinsic(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, textOf(item)]));
  const { Ref, 'Fn::Sub': template, 'Fn::GetAtt': attribute } = value as Record<string, unknown>;
  if (typeof Ref === 'string') return `\${${Ref}}`;
  if (typeof template === 'string') return template;
  if (Array.isArray(attribute)) return `\${${attribute.join('.')}}`;
  throw new Error(`${JSON.stringify(value)} cannot be part of the text of a policy`);
}
