import { createKey } from '../../../x509/key.ts';
import { kubeletClientSigner, kubeletServingSigner } from '../../controllers/certificates/kubelet-forms.ts';
import { type CertificateTimes, certificateTimes } from './certificate-times.ts';
import { clientCredential, type Living } from './living.ts';
import { KubeletProblem } from './machine.ts';
import { namesOf, reportAddresses } from './node-of-kubelet.ts';
import { requestCertificate } from './request-certificate.ts';
import { retried, rotationSeconds } from './retried.ts';

const client = {
  signerName: kubeletClientSigner,
  usages: ['digital signature', 'client auth'],
} as const;
const serving = {
  signerName: kubeletServingSigner,
  usages: ['digital signature', 'server auth'],
} as const;
const bootstrapWaitSeconds = 3_600;
const rotationWaitSeconds = 900;

/** The first client certificate, asked for with the bootstrap token. */
export async function bootstrap(living: Living): Promise<string> {
  const { disk, random, machine, node, expirationSeconds } = living;
  const token = living.bootstrapToken();
  if (token === undefined) throw new KubeletProblem('there is no bootstrap kubeconfig yet');
  disk.bootstrapKey ??= createKey(random.secretBytes);
  const certificate = await requestCertificate(machine, {
    ...client,
    nodeName: node.nodeName,
    key: disk.bootstrapKey,
    expirationSeconds,
    isNamedAfterKey: true,
    credential: { token },
    waitSeconds: bootstrapWaitSeconds,
  });
  disk.bootstrapKey = undefined;
  return certificate;
}

/** Renews the client certificate until it has expired. */
export async function renewClient(living: Living): Promise<void> {
  const { disk, machine } = living;
  for (;;) {
    const times = certificateTimes(disk.client ?? '');
    await machine.sleepUntil(renewalAt(living, times));
    const renewed = retried(living, rotationSeconds, () => rotated(living, client));
    const certificate = await Promise.race([renewed, machine.sleepUntil(times.notAfter)]);
    if (certificate === undefined) return;
    disk.client = certificate;
  }
}

/** Has a serving certificate for the Node's addresses, renewed in time, and another when they change. */
export async function serve(living: Living): Promise<never> {
  const { disk, machine } = living;
  let reported = '';
  for (;;) {
    const changed = living.addressChange();
    const names = namesOf(living);
    const asked = JSON.stringify(names);
    if (asked !== reported) await retried(living, rotationSeconds, () => reportAddresses(living));
    reported = asked;
    if (disk.serving?.names !== asked) {
      const purpose = { ...serving, ...names };
      const certificate = await retried(living, rotationSeconds, () => rotated(living, purpose));
      disk.serving = { certificate, names: asked };
    }
    const dueAt = renewalAt(living, certificateTimes(disk.serving.certificate));
    await Promise.race([changed, machine.sleepUntil(dueAt)]);
    if (machine.clock.now() >= dueAt) disk.serving = undefined;
  }
}

type Purpose = typeof client | (typeof serving & ReturnType<typeof namesOf>);

/** A certificate of the same node under a new key, asked for with the one that it has. */
function rotated(living: Living, purpose: Purpose): Promise<string> {
  const { machine, node, random, expirationSeconds } = living;
  return requestCertificate(machine, {
    ...purpose,
    nodeName: node.nodeName,
    key: createKey(random.secretBytes),
    expirationSeconds,
    isNamedAfterKey: false,
    credential: clientCredential(living),
    waitSeconds: rotationWaitSeconds,
  });
}

/** Between 70 and 90 % of the lifetime, so that nodes that began together do not renew together. */
const renewalAt = ({ random }: Living, { notBefore, notAfter }: CertificateTimes): number =>
  notBefore + (notAfter - notBefore) * (0.7 + 0.2 * random.next());
