import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { Registry } from '../registry/registry.ts';
import { type Stored, timestamp } from '../store/object.ts';
import { withCondition } from './conditions.ts';

/** Signs a PEM request with the cluster's authority; rejects when the request is not a good one. */
export type SignCertificate = (request: {
  readonly request: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number;
  readonly now: number;
}) => Promise<string>;

const yearSeconds = 365 * 86_400;

/** Issues the certificate of every request that is approved and not denied: for Kubernetes' own signers, all alike. */
export function startCertificateSigner(registry: Registry, sign: SignCertificate): void {
  const requests = registry.store.of('certificatesigningrequests.certificates.k8s.io');
  requests.subscribe(({ type, object }) => {
    if (type === 'DELETED' || object.status?.certificate !== undefined) return;
    if (!has(object, 'Approved') || has(object, 'Denied') || has(object, 'Failed')) return;
    if (!(object.spec?.signerName ?? '').startsWith('kubernetes.io/')) return;
    void issue(registry, object, sign);
  });
}

function has({ status }: Stored<CertificateSigningRequest>, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type) ?? false;
}

/** A request that cannot be signed says so in its own condition, as the real signer does. */
async function issue(
  registry: Registry,
  object: Stored<CertificateSigningRequest>,
  sign: SignCertificate,
): Promise<void> {
  const now = registry.clock.now();
  const { spec } = object;
  if (spec === undefined) return;
  const { request, usages = [] } = spec;
  const asked: unknown = Reflect.get(spec, 'expirationSeconds');
  const expirationSeconds = typeof asked === 'number' ? asked : yearSeconds;
  const resource = 'certificatesigningrequests.certificates.k8s.io' as const;
  try {
    const pem = await sign({
      request: Buffer.from(request, 'base64').toString(),
      usages,
      expirationSeconds,
      now,
    });
    const certificate = Buffer.from(pem).toString('base64');
    registry.updateStatus(resource, object, (found) => ({
      ...found,
      status: { ...found.status, certificate },
    }));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message };
    registry.updateStatus(resource, object, (found) => withCondition(found, failed, timestamp(now)));
  }
}
