import { randomBytes } from 'node:crypto';
import { createCertificateRequest } from '../../../../src/x509/certificate-request.ts';
import { createKey, type Key } from '../../../../src/x509/key.ts';
import { type Answer, type KubernetesWorld, uniqueName } from '../world.ts';

export const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const rbac = 'rbac.authorization.k8s.io';

export const kubeletClient = {
  signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  usages: ['digital signature', 'client auth'],
};
export const kubeletServing = {
  signerName: 'kubernetes.io/kubelet-serving',
  usages: ['digital signature', 'server auth'],
};

export interface Asked {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly key?: Key;
}

/** As base64. */
export function requestFor({ commonName, organizations = ['system:nodes'], ...asked }: Asked): string {
  const key = asked.key ?? createKey(randomBytes);
  const pem = createCertificateRequest({ ...asked, key, subject: { commonName, organizations } });
  return Buffer.from(pem).toString('base64');
}

/** A certificate request under a name of its own, by a user. */
export async function ask(
  world: KubernetesWorld,
  { spec, asked, headers = {} }: AskedBy,
): Promise<Pick<Answer, 'status' | 'body'> & { readonly answer: Answer; readonly name: string }> {
  const name = uniqueName('csr');
  const answer = await world.post(
    requests,
    {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: { request: requestFor(asked), ...spec },
    },
    headers,
  );
  return { answer, status: answer.status, body: answer.body, name };
}

interface AskedBy {
  readonly asked: Asked;
  readonly spec: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export const approved = { type: 'Approved', status: 'True', reason: 'Test', message: 'm' };

export const approve = (
  world: KubernetesWorld,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  world.call('PATCH', `${requests}/${name}/approval`, {
    body: { status: { conditions: [approved] } },
    headers: { 'content-type': 'application/merge-patch+json', ...headers },
  });

/** A new user with these rights in the whole cluster, as the headers that impersonate it. */
export async function startUser(
  world: KubernetesWorld,
  rules: readonly object[],
): Promise<{ readonly user: string; readonly headers: Readonly<Record<string, string>> }> {
  const user = uniqueName('user');
  await create(world, 'clusterroles', { metadata: { name: user }, rules });
  await bind(world, user, user);
  return { user, headers: { 'impersonate-user': user } };
}

/** Binds a ClusterRole to a user. */
export async function bind(world: KubernetesWorld, user: string, role: string): Promise<void> {
  await create(world, 'clusterrolebindings', {
    metadata: { name: uniqueName('binding') },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  });
}

async function create(world: KubernetesWorld, plural: string, body: object): Promise<void> {
  const { status, text } = await world.post(`/apis/${rbac}/v1/${plural}`, body);
  if (status !== 201) throw new Error(text);
}

export const certificateRights = (verbs: readonly string[], ...resources: readonly string[]): object => ({
  apiGroups: ['certificates.k8s.io'],
  resources,
  verbs,
});
