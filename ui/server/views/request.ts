import {
  type CertificateRequest,
  decisionOn,
  signers,
} from '../../../shared/certificates/certificate-request.ts';
import { readRequest } from '../../../shared/certificates/read-request.ts';
import type { RequestView } from '../../state/types.ts';

/** More would push the rest of the page away. */
const shown = 10;

/** A request as it was read, with the condition that decided it. */
export interface ReadRequest extends Pick<RequestView, 'name' | 'nodeName' | 'kind' | 'requester' | 'at'> {
  readonly decision?: { readonly type: string; readonly message: string } | undefined;
}

/** The requests that wait or were denied, the newest first. Pure. */
export const requestViews = (requests: readonly CertificateRequest[]): readonly RequestView[] =>
  undecidedOrDenied(
    requests.map((request) => ({
      name: request.name,
      nodeName: nodeNameIn(request),
      kind: request.signerName === signers.serving ? 'serving' : 'client',
      requester: request.username,
      at: request.createdAt,
      decision: decisionOn(request),
    })),
  );

/** The requests that the page shows, the newest first. Pure. */
export function undecidedOrDenied(requests: readonly ReadRequest[]): readonly RequestView[] {
  const views = requests
    .flatMap(({ decision, ...view }): readonly RequestView[] => {
      if (decision === undefined) return [{ ...view, state: 'pending' }];
      return decision.type === 'Denied' ? [{ ...view, state: 'denied', reason: decision.message }] : [];
    })
    .toSorted((one, other) => other.at - one.at);
  return [...Map.groupBy(views, whatIsAsked).values()].flatMap(newestOf).slice(0, shown);
}

/** A refused kubelet asks again and again: its requests would hide those of other nodes. */
const whatIsAsked = ({ requester, nodeName, kind, state, reason = '' }: RequestView): string =>
  JSON.stringify([requester, nodeName, kind, state, reason]);

const newestOf = ([newest, ...others]: readonly RequestView[]): readonly RequestView[] =>
  newest ? [{ ...newest, ...(others.length > 0 && { times: others.length + 1 }) }] : [];

function nodeNameIn({ pem }: CertificateRequest): string {
  const reading = readRequest(pem);
  return reading.kind === 'read' ? reading.request.commonName.replace('system:node:', '') : '';
}
