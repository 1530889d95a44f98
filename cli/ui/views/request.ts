import {
  type CertificateRequest,
  decisionOn,
  signers,
} from '../../../shared/certificates/certificate-request.ts';
import { readRequest } from '../../../shared/certificates/read-request.ts';
import type { RequestView } from '../../../ui/state/types.ts';

/** More would push the rest of the page away. */
const shown = 10;

/** The requests that wait or were denied, the newest first. Pure. */
export const requestViews = (requests: readonly CertificateRequest[]): readonly RequestView[] =>
  requests
    .flatMap(requestView)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, shown);

function requestView(request: CertificateRequest): readonly RequestView[] {
  const decision = decisionOn(request);
  if (decision !== undefined && decision.type !== 'Denied') return [];
  const view = {
    name: request.name,
    nodeName: nodeNameIn(request),
    kind: request.signerName === signers.serving ? 'serving' : 'client',
    requester: request.username,
    at: request.createdAt,
  } as const;
  return [decision ? { ...view, state: 'denied', reason: decision.message } : { ...view, state: 'pending' }];
}

function nodeNameIn({ pem }: CertificateRequest): string {
  const reading = readRequest(pem);
  return reading.kind === 'read' ? reading.request.commonName.replace('system:node:', '') : '';
}
