import { decisionOn } from '../certificates/certificate-request.ts';
import type { Petition } from '../certificates/decide-all.ts';
import { clockSkewMilliseconds } from './readiness.ts';
import type { OwnRequests } from './state.ts';

const mostRequests = 3;

/**
 * What became of the certificate requests of an instance, in words; undefined where Drover decides none. Pure. The API server keeps a
 * request for an hour after its decision, so requests from before the launch, epoch milliseconds, are those of an older instance of
 * the name.
 */
export function requestWords(requests: OwnRequests, launchedAt = -Infinity): string | undefined {
  if (requests.kind === 'off') return undefined;
  if (requests.kind === 'failed') return `its certificate requests could not be decided: ${requests.message}`;
  const { decided, settled } = requests;
  if (decided.length > 0)
    return decided
      .slice(0, mostRequests)
      .map(
        ({ request, verdict }) => `certificate request ${request.name}: ${verdict.kind}, ${verdict.reason}`,
      )
      .join('; ');
  const own = settled.filter(({ request }) => request.createdAt >= launchedAt - clockSkewMilliseconds);
  const newest = own.toSorted((one, other) => other.request.createdAt - one.request.createdAt)[0];
  return newest ? wordsOf(newest) : 'it has made no certificate request';
}

function wordsOf({ request }: Petition): string {
  const { type = '', message = '' } = decisionOn(request) ?? {};
  return `certificate request ${request.name} is ${type.toLowerCase()}${message && `: ${message}`}`;
}
