import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { RequestView } from '../../../ui/state/types.ts';
import { requestView as readView } from '../../story/request-view.ts';

/** More would push the rest of the page away. */
const shown = 10;

/** The requests of kubelets that wait or were denied, the newest first. */
export const requestViews = (requests: readonly CertificateSigningRequest[]): readonly RequestView[] =>
  requests
    .flatMap(requestView)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, shown);

function requestView(object: CertificateSigningRequest): readonly RequestView[] {
  const { name, nodeName, kind, requester, decision } = readView(object);
  if (decision !== undefined && decision.type !== 'Denied') return [];
  const at = Date.parse(object.metadata?.creationTimestamp ?? '');
  const common = { name, nodeName, kind, requester, at };
  return decision === undefined
    ? [{ ...common, state: 'pending' }]
    : [{ ...common, state: 'denied', reason: decision.message }];
}
