import { stringify } from 'yaml';

export interface KubeconfigParts {
  readonly clusterName: string;
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly user: { readonly certificate: string; readonly key: string } | { readonly token: string };
}

/** A kubeconfig with one cluster, one user and one context, as YAML. It holds a credential: keep it from other eyes. */
export function kubeconfigText({ clusterName, server, certificateAuthority, user }: KubeconfigParts): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const credentials =
    'token' in user
      ? { token: user.token }
      : { 'client-certificate-data': base64(user.certificate), 'client-key-data': base64(user.key) };
  const cluster = { server, 'certificate-authority-data': base64(certificateAuthority) };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: clusterName, cluster }],
    users: [{ name: `${clusterName}-user`, user: credentials }],
    contexts: [{ name: clusterName, context: { cluster: clusterName, user: `${clusterName}-user` } }],
    'current-context': clusterName,
  });
}
