import type { Registry } from '../../registry/registry.ts';
import { timestamp } from '../../store/object.ts';
import { withCondition } from '../conditions.ts';
import { createWorkQueue } from '../work-queue.ts';
import {
  apiServerClientFault,
  kubeletClientFault,
  kubeletClientSigner,
  kubeletServingFault,
  kubeletServingSigner,
} from './kubelet-forms.ts';
import { type Csr, hasCondition, pemOf, requestOf, requestsResource } from './requests.ts';

/** Signs a PEM request with the cluster's authority. */
export type SignCertificate = (request: {
  readonly request: string;
  readonly usages: readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
}) => string;

interface SignerOptions {
  readonly sign: SignCertificate;
  /** `--cluster-signing-duration`: no certificate is valid for longer. */
  readonly signingSeconds: number;
}

const faults = new Map([
  [kubeletClientSigner, kubeletClientFault],
  [kubeletServingSigner, kubeletServingFault],
  ['kubernetes.io/kube-apiserver-client', apiServerClientFault],
]);

/**
 * Issues the certificates of approved requests for the signers of kube-controller-manager. A request that is not what its
 * signer takes gets the condition Failed. Source: pkg/controller/certificates/signer.
 */
export function startCertificateSigner(registry: Registry, options: SignerOptions): void {
  const requests = registry.store.of(requestsResource);
  const queue = createWorkQueue(registry.clock, (name) => {
    const found = requests.get(undefined, name);
    if (found !== undefined && isDue(found)) issue(registry, found, options);
  });
  requests.subscribe(({ type, object }) => {
    if (type !== 'DELETED' && isDue(object)) queue.add(object.metadata.name);
  });
}

const isDue = (csr: Csr): boolean =>
  csr.status?.certificate === undefined &&
  faults.has(csr.spec.signerName) &&
  hasCondition(csr, 'Approved') &&
  !hasCondition(csr, 'Denied', 'Failed');

function issue(registry: Registry, csr: Csr, { sign, signingSeconds }: SignerOptions): void {
  const now = registry.clock.now();
  const { spec } = csr;
  const { usages = [] } = spec;
  const message = faults.get(spec.signerName)?.(requestOf(csr), usages);
  if (message !== undefined) {
    const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message };
    registry.updateStatus(requestsResource, csr, (found) => withCondition(found, failed, timestamp(now)));
    return;
  }
  const seconds = Math.min(signingSeconds, spec.expirationSeconds ?? signingSeconds);
  const pem = sign({ request: pemOf(spec), usages, ...validityOf(now, Math.max(shortestSeconds, seconds)) });
  const certificate = Buffer.from(pem).toString('base64');
  registry.updateStatus(requestsResource, csr, (found) => ({
    ...found,
    status: { ...found.status, certificate },
  }));
}

const shortestSeconds = 600;
const backdateSeconds = 300;
const shortLivedSeconds = 8 * 3600;

/** Valid from five minutes ago; a long lifetime ends so much earlier. Source: pkg/controller/certificates/authority. */
function validityOf(now: number, seconds: number) {
  const lifetime = seconds < shortLivedSeconds ? seconds : seconds - backdateSeconds;
  return { notBefore: now - backdateSeconds * 1000, notAfter: now + lifetime * 1000 };
}
