import { instanceFacts, nodeFacts } from '../../../../local/world/certificates/facts.ts';
import {
  clientRequest,
  createPem,
  instanceUser,
  nodeName,
  nodeUser,
  now,
  type PemOptions,
  servingRequest,
} from '../../../../local/world/certificates/requests.ts';
import type { CertificateRequest } from '../../../../shared/certificates/certificate-request.ts';
import type { DecisionInput, Verdict, VerdictKind } from '../../../../shared/certificates/verdict.ts';
import { verdictOn } from '../../../support/certificates/verdict-on.ts';

/** A request and the world that it is judged in. */
export interface Asked {
  readonly by: 'token' | 'instance' | 'node' | 'serving';
  readonly pem?: PemOptions | string;
  readonly request?: Partial<CertificateRequest>;
  readonly world?: Partial<DecisionInput>;
}

/** What a peer does: `leaves` is for one that waits, fails or has no opinion. */
type PeerAnswer = 'approves' | 'denies' | 'leaves';

/**
 * What is asked; what the peer does; the request and its world; our verdict with the check that decides; and why it differs, if one of the
 * two approves and the other does not.
 */
export type PeerCase = readonly [
  what: string,
  peer: PeerAnswer,
  asked: Asked,
  verdict: `${VerdictKind} ${string}`,
  whyOursDiffers?: string,
];

/** The Node is Ready, so that the node itself may ask. */
export const ready = { node: nodeFacts() };
export const onNode = (cn: string, o = 'O=system:nodes,'): PemOptions => ({ subject: `${o}CN=${cn}` });
export const ownName = `system:node:${nodeName}`;
export const otherName = 'ip-10-0-0-2.eu-west-1.compute.internal';
export const longAgo = now - 86_400_000;
export const kubeletUsages = (...usages: readonly string[]): Asked => ({ by: 'token', request: { usages } });
export const servingUsages = (...usages: readonly string[]): Asked => ({
  by: 'serving',
  request: { usages },
});
export const named = (dnsNames: readonly string[], ipAddresses: readonly string[] = []): Asked => ({
  by: 'serving',
  pem: { dnsNames, ipAddresses },
});
export const user = (username: string, groups: readonly string[] = ['system:authenticated']): Asked => ({
  by: 'token',
  request: { username, groups },
});
export const oldInstance = instanceFacts({ launchedAt: longAgo, rootVolumeAttachedAt: longAgo });

const users = { token: {}, instance: instanceUser(), node: nodeUser() } as const;

/** Drover's verdict. Without a request text of its own, it asks for the name of the Node, and serving requests for its name and address. */
export async function verdictOf({ by, pem, request, world }: Asked): Promise<Verdict> {
  if (by === 'serving') {
    const text =
      typeof pem === 'string'
        ? pem
        : await createPem(pem ?? { dnsNames: [nodeName], ipAddresses: ['10.0.0.1'] });
    return verdictOn(servingRequest(text, request), { ...ready, ...world });
  }
  const text = typeof pem === 'string' ? pem : await createPem(pem);
  const byNode = by === 'node' ? ready : {};
  return verdictOn(clientRequest(text, { ...users[by], ...request }), { ...byNode, ...world });
}
