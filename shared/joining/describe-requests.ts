import { decisionOn } from '../certificates/certificate-request.ts';
import type { ListedRequest } from '../certificates/decide.ts';
import { hostNamesOf, type NamedInstance } from '../nodes/node-names.ts';
import type { OwnRequests } from './context.ts';
import { clockSkewMilliseconds } from './readiness.ts';

const mostRequests = 3;

interface RequestingInstance extends NamedInstance {
  /** Epoch milliseconds; undefined if EC2 does not report it. */
  readonly launchedAt?: number | undefined;
}

/**
 * Describes the certificate requests of an instance; undefined if Drover does not decide requests. The API server keeps a request for an
 * hour after its decision, so requests from before the launch belong to an older instance with the same name.
 */
export function describeRequests(requests: OwnRequests, instance: RequestingInstance): string | undefined {
  if (requests.kind === 'off') return undefined;
  if (requests.kind === 'failed') return `its certificate requests could not be decided: ${requests.message}`;
  const { decided, settled, others } = requests;
  if (decided.length > 0)
    return decided
      .slice(0, mostRequests)
      .map(
        ({ request, verdict }) => `certificate request ${request.name}: ${verdict.kind}, ${verdict.reason}`,
      )
      .join('; ');
  const own = newestOf(settled, instance);
  if (own) return describeDecision(own);
  const alike = newestOf(
    others.filter((listed) => isAlike(listed, instance)),
    instance,
  );
  return alike ? describeAlike(alike, instance) : 'it has made no certificate request';
}

function newestOf(
  listed: readonly ListedRequest[],
  { launchedAt = -Infinity }: RequestingInstance,
): ListedRequest | undefined {
  const own = listed.filter(({ request }) => request.createdAt >= launchedAt - clockSkewMilliseconds);
  return own.toSorted((one, other) => other.request.createdAt - one.request.createdAt)[0];
}

/** The requester chooses the name: only one that a host may have is quoted. */
const hostName = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,10}$/i;

/** Whether the request is for a name that begins with the address or the id of the instance, under another domain. */
function isAlike({ nodeName = '' }: ListedRequest, instance: RequestingInstance): boolean {
  const [host = ''] = nodeName.toLowerCase().split('.');
  return hostName.test(nodeName) && hostNamesOf(instance).includes(host);
}

function describeAlike(listed: ListedRequest, { instanceId, privateDnsName }: RequestingInstance): string {
  const names = [privateDnsName?.toLowerCase(), instanceId].filter(Boolean).join(' or ');
  const decision = decisionOn(listed.request) ? describeDecision(listed) : pending(listed);
  return `it has made no certificate request as ${names}, but one as ${listed.nodeName}: ${decision}. Its host name does not come from EC2, as in a VPC with a domain name of its own: --node-name instance-id of drover user-data does not depend on it`;
}

const pending = ({ request }: ListedRequest): string => `certificate request ${request.name} is pending`;

function describeDecision({ request }: ListedRequest): string {
  const { type = '', message = '' } = decisionOn(request) ?? {};
  return `certificate request ${request.name} is ${type.toLowerCase()}${message && `: ${message}`}`;
}
