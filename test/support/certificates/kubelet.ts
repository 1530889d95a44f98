import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import { createPem, type PemOptions } from '../../../local/world/certificates/requests.ts';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { signers } from '../../../shared/certificates/certificate-request.ts';

export const requestsPath = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

interface User {
  readonly username: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Asks the simulated API server for a certificate, as a kubelet does, or of another signer. Gives what the request is by now. */
export async function askForCertificate(
  { kubernetes }: Pick<DroverWorld, 'kubernetes'>,
  asked: PemOptions & {
    readonly user: User;
    readonly signer: keyof typeof signers;
    readonly signerName?: string;
    readonly name: string;
  },
) {
  const pem = await createPem(asked);
  const extra =
    asked.user.extra &&
    Object.fromEntries(Object.entries(asked.user.extra).map(([key, value]) => [key, [...value]]));
  const token = kubernetes.addToken({
    username: asked.user.username,
    groups: [...asked.user.groups],
    ...(extra && { extra }),
  });
  const post = (version: 'v1' | 'v1beta1') =>
    kubernetes.sendHttp({
      method: 'POST',
      url: `https://kubernetes.sandbox${requestsPath.replace('/v1/', `/${version}/`)}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        apiVersion: `certificates.k8s.io/${version}`,
        kind: 'CertificateSigningRequest',
        metadata: { name: asked.name },
        spec: {
          request: Buffer.from(pem).toString('base64'),
          ...(version === 'v1' && { signerName: asked.signerName ?? signers[asked.signer] }),
          usages: ['digital signature', asked.signer === 'client' ? 'client auth' : 'server auth'],
        },
      }),
      timeoutMilliseconds: 1000,
    });
  const current = await post('v1');
  // A server of Kubernetes 1.11.
  const { status, body } = current.status === 404 ? await post('v1beta1') : current;
  if (status !== 201) throw new Error(`the API server answered ${status}: ${body}`);
  return (): string => verdictOn({ kubernetes }, asked.name);
}

/** `Approved`, `Denied: why`, or `pending`. */
function verdictOn({ kubernetes }: Pick<DroverWorld, 'kubernetes'>, name: string): string {
  const found: CertificateSigningRequest | undefined = kubernetes.store
    .of('certificatesigningrequests.certificates.k8s.io')
    .list()
    .find(({ metadata }) => metadata.name === name);
  const condition = found?.status?.conditions?.[0];
  if (condition === undefined) return 'pending';
  return condition.type === 'Approved' ? 'Approved' : `${condition.type}: ${condition.message}`;
}
