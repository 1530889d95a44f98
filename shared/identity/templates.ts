import type { Identity } from './identity.ts';

/** The session name of an instance's own credentials is its id. */
export const sessionInstancePattern = /^i-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;

const template = /\{\{\s*(\w+)\s*\}\}/g;

/** Whether the text names a node: it has the private DNS name of the instance. */
export const namesInstance = (text: string): boolean => /\{\{\s*EC2PrivateDNSName\s*\}\}/.test(text);

export type Filled =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Fills in what aws-iam-authenticator fills in (pkg/server, pkg/config): `{{EC2PrivateDNSName}}`, `{{SessionName}}` with `-` for `@`, `{{SessionNameRaw}}`,
 * `{{AccountID}}` and `{{AccessKeyID}}`. A name that it does not know, or that has no value here, is refused.
 */
export function fillTemplate(
  text: string,
  identity: Pick<Identity, 'sessionName' | 'accountId' | 'accessKeyId'>,
  privateDnsName: string | undefined,
): Filled {
  const values: Readonly<Record<string, string | undefined>> = {
    EC2PrivateDNSName: privateDnsName,
    SessionName: identity.sessionName.replaceAll('@', '-'),
    SessionNameRaw: identity.sessionName,
    AccountID: identity.accountId,
    AccessKeyID: identity.accessKeyId,
  };
  const unfilled = [...text.matchAll(template)]
    .map(([, name = '']) => name)
    .find((name) => !Object.hasOwn(values, name) || !values[name]);
  if (unfilled !== undefined)
    return { kind: 'refused', reason: `its entry asks for ${unfilled}, which it has not` };
  const filled = text.replaceAll(template, (_, name: string) => values[name] ?? '');
  return /\{\{|\}\}/.test(filled)
    ? { kind: 'refused', reason: 'its entry has a template that is not understood' }
    : { kind: 'text', text: filled };
}
