import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import type { KubectlWorld } from './kubectl.ts';
import { rolesText } from './manifests.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A certificate request, as `openssl req` would write it, and its key. */
async function requestFor(name: string): Promise<{ readonly request: string; readonly key: string }> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const csr = await Pkcs10CertificateRequestGenerator.create({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`;
  return { request: Buffer.from(csr.toString('pem')).toString('base64'), key };
}

const requestText = (name: string, request: string): string =>
  JSON.stringify({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
  });

/** Who a user is, and what the user may do. */
export const accessCases: Cases<KubectlWorld> = {
  'auth whoami and can-i answer for who asks, and for whom they act as': async ({ kubectl, tried }) => {
    expect(await kubectl('auth whoami')).toMatch(/^Groups +\[system:masters system:authenticated\]$/m);
    expect(await kubectl('auth can-i create pods')).toBe('yes\n');
    expect(await tried('auth can-i create pods --as nobody')).toMatchObject({ code: 1, stdout: 'no\n' });
    expect(await kubectl('auth whoami --as nobody --as-group teams')).toMatch(
      /^Groups +\[teams system:authenticated\]$/m,
    );
    expect((await tried('get nodes --as nobody')).stderr).toBe(
      'Error from server (Forbidden): nodes is forbidden: User "nobody" cannot list resource "nodes" in API group "" at the cluster scope\n',
    );
  },

  'auth can-i answers what a role gives to a group, and no more': async ({ anywhere, tried }) => {
    await anywhere('apply -f -', rolesText);
    const robot = '--as robot --as-group robots';
    for (const may of ['delete nodes', 'create pods --subresource=eviction -n any', 'list pods -A'])
      expect(await anywhere(`auth can-i ${may} ${robot}`)).toMatch(/^yes$/m);
    for (const mayNot of [
      'delete namespaces',
      'get secrets -A',
      'create pods -n any',
      'update nodes --subresource=status',
    ])
      expect((await tried(`auth can-i ${mayNot} ${robot}`)).stdout).toMatch(/^no$/m);
    expect(await anywhere(`auth can-i --list ${robot}`)).toMatch(/^pods\/eviction +\[\] +\[\] +\[create\]$/m);
  },

  'auth reconcile finds the roles of a file as they are': async ({ anywhere }) => {
    await anywhere('apply -f -', rolesText);
    expect(await anywhere('auth reconcile -f -', rolesText)).toMatch(
      /^clusterrole\.rbac\.authorization\.k8s\.io\/robots reconciled$/m,
    );
    expect(await anywhere('diff -f -', rolesText)).toBe('');
  },

  'create token gives a token with which one is the service account, until that is deleted': async ({
    kubectl,
    tried,
    namespace,
  }) => {
    await kubectl('create serviceaccount robot');
    const token = (await kubectl('create token robot --duration=10m')).trim();
    const anonymous = '--kubeconfig=/dev/null --insecure-skip-tls-verify';
    const server = await kubectl('config view -o jsonpath={.clusters[0].cluster.server}');
    const as = `auth whoami --token=${token} --server=${server} ${anonymous}`;
    expect(await kubectl(as)).toContain(`system:serviceaccount:${namespace}:robot`);
    await kubectl('delete serviceaccount robot');
    expect(await tried(as)).toMatchObject({
      code: 1,
      stderr: 'error: You must be logged in to the server (Unauthorized)\n',
    });
    expect((await tried('create token robot')).stderr).toContain('serviceaccounts "robot" not found');
  },

  'certificate approve makes the signer issue, and one is who the certificate names': async (world) => {
    const { feed, kubectl, namespace } = world;
    const { request, key } = await requestFor('carol');
    await feed(requestText(namespace, request), 'apply -f -');
    expect(await kubectl(`get csr ${namespace}`)).toMatch(
      / kubernetes\.io\/kube-apiserver-client +you +<none> +Pending\n$/,
    );
    const approved = await kubectl(`certificate approve ${namespace}`);
    expect(approved).toBe(`certificatesigningrequest.certificates.k8s.io/${namespace} approved\n`);
    await expect.poll(() => kubectl(`get csr ${namespace}`)).toContain('Approved,Issued');
    const directory = await mkdtemp(join(tmpdir(), 'kubectl-'));
    const certificate = await kubectl(`get csr ${namespace} -o jsonpath={.status.certificate}`);
    writeFileSync(join(directory, 'crt'), Buffer.from(certificate, 'base64'));
    writeFileSync(join(directory, 'key'), key, { mode: 0o600 });
    const { cluster } = JSON.parse(await kubectl('config view --raw -o jsonpath={.clusters[0]}'));
    writeFileSync(join(directory, 'ca'), Buffer.from(cluster['certificate-authority-data'], 'base64'));
    const files = ['certificate-authority=ca', 'client-certificate=crt', 'client-key=key'].map((file) =>
      file.replace('=', `=${directory}/`),
    );
    const who = await kubectl(
      `auth whoami --kubeconfig=/dev/null --server=${cluster.server} --${files.join(' --')}`,
    );
    expect(who).toMatch(/^Username +carol$/m);
    await rm(directory, { recursive: true });
  },

  'certificate deny ends a request': async ({ feed, kubectl, namespace }) => {
    const { request } = await requestFor('mallory');
    await feed(requestText(`${namespace}-denied`, request), 'apply -f -');
    await kubectl(`certificate deny ${namespace}-denied`);
    expect(await kubectl(`get csr ${namespace}-denied`)).toMatch(/ Denied\n$/);
  },

  'an unknown token is refused': async ({ kubectl, tried }) => {
    const server = await kubectl('config view -o jsonpath={.clusters[0].cluster.server}');
    const { code, stderr } = await tried(
      `get pods --token=nonsense --server=${server} --kubeconfig=/dev/null --insecure-skip-tls-verify`,
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: You must be logged in to the server (Unauthorized)\n',
    });
  },
};
