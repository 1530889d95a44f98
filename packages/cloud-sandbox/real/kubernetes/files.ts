import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubeconfigText } from '../../src/kubernetes/wire/kubeconfig.ts';
import { createTestAuthority, type TestAuthority } from '../test-authority.ts';

/** Who may speak with the API server by a token of its token file. */
export interface TokenUser {
  readonly token: string;
  readonly username: string;
  readonly groups: readonly string[];
}

/** Paths of all that a control plane reads. */
export interface ClusterFiles {
  readonly directory: string;
  readonly authority: TestAuthority;
  readonly certificateAuthority: string;
  readonly certificateAuthorityKey: string;
  readonly servingCertificate: string;
  readonly servingKey: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly tokens: string;
  readonly auditPolicy: string;
  readonly auditLog: string;
  /** Writes a file of this name, and gives its path. */
  write(name: string, content: string): string;
  /** Writes a kubeconfig with a client certificate, and gives its path. */
  kubeconfig(user: {
    readonly username: string;
    readonly groups?: readonly string[];
    readonly server: string;
  }): Promise<string>;
}

/** Metadata of every request, once it is answered: the honest counter. */
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{ level: Metadata }]
`;

export async function writeClusterFiles(
  directory: string,
  users: readonly TokenUser[],
): Promise<ClusterFiles> {
  mkdirSync(directory, { recursive: true });
  const write = (name: string, content: string): string => {
    const path = join(directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const authority = await createTestAuthority('kubernetes');
  const serving = await authority.issue({
    commonName: 'kube-apiserver',
    names: [
      '127.0.0.1',
      'localhost',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      '10.0.0.1',
    ],
  });
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const lines = users.map(
    ({ token, username, groups }) => `${token},${username},${username},"${groups.join(',')}"`,
  );
  return {
    directory,
    authority,
    write,
    certificateAuthority: write('ca.crt', authority.certificate),
    certificateAuthorityKey: write('ca.key', authority.key),
    servingCertificate: write('apiserver.crt', serving.certificate),
    servingKey: write('apiserver.key', serving.key),
    serviceAccountKey: write('sa.key', privateKey),
    serviceAccountPublicKey: write('sa.pub', publicKey),
    tokens: write('tokens.csv', `${lines.join('\n')}\n`),
    auditPolicy: write('audit-policy.yaml', auditPolicy),
    auditLog: join(directory, 'audit.log'),
    kubeconfig: async ({ username, groups = [], server }) => {
      const user = await authority.issue({ commonName: username, organizations: groups });
      const certificateAuthority = authority.certificate;
      const text = kubeconfigText({ clusterName: 'drover', server, certificateAuthority, user });
      return write(`${username.replaceAll(':', '-')}.kubeconfig`, text);
    },
  };
}
