import type { JoiningContext } from '../context.ts';
import { nodeReadiness, type Readiness, waitingFor } from '../readiness.ts';
import type { ClusterObserved, Joining, Judged, OwnRequests, Planned } from '../state.ts';

type State = Joining & Planned & ClusterObserved;

/** Judges what was observed: whether the instance may serve, or what it waits for. */
export const judgeReadiness = async ({ clock }: JoiningContext, state: State): Promise<Judged> => ({
  readiness: state.toWarmPool ? poolReadiness(state, clock.now()) : joinReadiness(state, clock.now()),
});

function joinReadiness({ node, ec2, requests }: State, now: number): Readiness {
  if (node) return nodeReadiness(node, { now, launchedAt: ec2?.launchedAt });
  const words = requestWords(requests);
  return waitingFor('node', words ? `it has no node yet; ${words}` : 'it has no node yet');
}

/** User data that is still running when the instance is stopped for the pool does not run again. */
function poolReadiness({ settings: { warmPoolWaitSeconds }, plan }: State, now: number): Readiness {
  const launched = 'it is launched into the warm pool';
  if (warmPoolWaitSeconds === undefined)
    return waitingFor('pool', `${launched}, and completes its hook itself`);
  const seconds = Math.ceil((plan.since - now) / 1000 + warmPoolWaitSeconds);
  return seconds > 0
    ? waitingFor('pool', `${launched}, and its user data has ${seconds} s left`)
    : { kind: 'ready', reason: `${launched}, and its user data had ${warmPoolWaitSeconds} s` };
}

const mostRequests = 3;

/** What became of its certificate requests; undefined where Drover decides none. */
function requestWords(requests: OwnRequests): string | undefined {
  if (requests.kind === 'off') return undefined;
  if (requests.kind === 'failed') return `its certificate requests could not be decided: ${requests.message}`;
  if (requests.decided.length === 0) return 'no certificate request of it is pending';
  return requests.decided
    .slice(0, mostRequests)
    .map(({ request, verdict }) => `certificate request ${request.name}: ${verdict.kind}, ${verdict.reason}`)
    .join('; ');
}
