/**
 * The ARN of the customer managed key that a KeyId names; undefined for the default key. There is no KMS here: an alias
 * stands for a key of the same name.
 */
export function customerKeyArn(
  keyId: string | undefined,
  { accountId, region }: { readonly accountId: string; readonly region: string },
): string | undefined {
  if (keyId === undefined || keyId === 'alias/aws/ssm') return undefined;
  if (keyId.startsWith('arn:')) return keyId;
  return `arn:aws:kms:${region}:${accountId}:key/${keyId.replace(/^alias\//, '')}`;
}
