import { failuresOf, type ItemFailure, type Silence, sideBySide } from '../base/side-by-side.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import type { Notification, Notify } from '../notifications/notification.ts';
import { type CertificateRequest, isPending } from './certificate-request.ts';
import { type Decision, decideAll, type ListedRequest, listedRequest } from './decide.ts';
import { type NamesByName, type ObserveContext, observe, type Unread } from './observe.ts';
import type { createReadings } from './read-request.ts';

/** What is written to the condition of a request. */
export interface Approval {
  readonly type: 'Approved' | 'Denied';
  /** CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** The certificate requests of a cluster. Methods reject with a KubernetesError when the API server does not answer as expected. */
export interface RequestCalls {
  /** Every request of both signers, including decided ones. Never cached. */
  listRequests(): Promise<readonly CertificateRequest[]>;
  /** Writes only to the request as it was read: `changed-meanwhile` if it is gone, or another approver was faster. */
  approveOrDeny(request: CertificateRequest, approval: Approval): Promise<'written' | 'changed-meanwhile'>;
}

export interface CertificateCluster extends RequestCalls, Pick<DrainCluster, 'getNode'> {}

export interface CertificateContext extends ObserveContext {
  readonly cluster: CertificateCluster;
  readonly read: ReturnType<typeof createReadings>;
  readonly notify: Notify;
  /** The requests whose write got no answer in earlier runs. They are written last. */
  readonly silentRequests: Silence<Decision>;
}

/**
 * A decision and its outcome: `written` to the request, `changed-meanwhile` by another approver, `failed`, or `none` because such a
 * verdict is not written.
 */
export interface DecidedRequest extends Decision {
  readonly outcome: 'written' | 'changed-meanwhile' | 'failed' | 'none';
}

export interface CertificateReport {
  readonly decided: readonly DecidedRequest[];
  /** The requests that were decided before, by any approver. */
  readonly settled: readonly ListedRequest[];
  /** If only some names were asked for, the requests for other names, undecided or decided by another run. */
  readonly others: readonly ListedRequest[];
  /** The Node names that could not be judged, with the reason. */
  readonly unread: Unread;
  /** What could not be read or written. The next pass tries again. */
  readonly failures: readonly ItemFailure[];
  /** The age of the oldest request that waits for Drover or an operator; 0 if none waits. */
  readonly oldestSeconds: number;
}

/** A request takes a few milliseconds. A flood of them is judged in several runs. */
const judgeMilliseconds = 8000;
/** A write may take 8 s. */
const writeLimits = { atOnce: 10, eachMilliseconds: 8000, togetherMilliseconds: 14_000 };
/** Notifications of one run: a flood of requests must not become a flood of messages. The log has all refusals. */
const maximumNotifications = 5;

/**
 * Decides the pending requests of both signers, or those for the Node names of some instances, and writes approvals and denials. A Node, instance, group or
 * request whose call fails or hangs delays only the requests for its names.
 *
 * @throws if the requests, the instances or the groups cannot be listed: then nothing is decided.
 */
export async function decideRequests(
  context: CertificateContext,
  only?: NamesByName,
): Promise<CertificateReport> {
  const { decisions, requests, others, unread } = await judgeRequests(context, only);
  // Before they are written: if the run is killed in between, the next one notifies again.
  await notifyRefusals(context, decisions);
  const results = await sideBySide(decisions, (decision) => carryOut(context.cluster, decision), {
    clock: context.clock,
    ...writeLimits,
    silence: context.silentRequests,
  });
  const decided = results.map((result) => ({
    ...result.item,
    outcome: result.status === 'fulfilled' ? result.value : ('failed' as const),
  }));
  const pendingNames = new Set(
    requests.filter(({ request }) => isPending(request)).map(({ nodeName }) => nodeName),
  );
  const unjudged = [...unread].filter(([name]) => pendingNames.has(name));
  return {
    decided,
    settled: requests.filter(({ request }) => !isPending(request)),
    others,
    unread,
    failures: [
      ...unjudged.map(([name, error]) => ({ item: `the requests for ${name}`, error })),
      ...failuresOf(results, ({ request }) => `request ${request.name}`),
    ],
    oldestSeconds: oldestSeconds(decided, context.clock.now()),
  };
}

async function notifyRefusals({ notify }: CertificateContext, decisions: readonly Decision[]): Promise<void> {
  const refused = decisions.filter(({ verdict }) => verdict.kind === 'deny').slice(0, maximumNotifications);
  await Promise.all(refused.map((decision) => notify(refusalOf(decision))));
}

/** Judges the requests without writing the verdicts. */
export async function judgeRequests(context: CertificateContext, only?: NamesByName) {
  const isWanted = ({ nodeName }: ListedRequest): boolean =>
    only === undefined || (nodeName !== undefined && only.has(nodeName));
  const listed = (await context.cluster.listRequests()).map((request) =>
    listedRequest(request, context.read(request)),
  );
  const requests = listed.filter(isWanted);
  const others = listed.filter((each) => !isWanted(each));
  const { observation, unread } = await observe(context, requests, only);
  const isUnread = ({ nodeName, request }: ListedRequest): boolean =>
    nodeName !== undefined && unread.has(nodeName) && isPending(request);
  const readable = observation.requests.filter((listed) => !isUnread(listed));
  const judgedBy = context.clock.now() + judgeMilliseconds;
  const isTimeUp = (): boolean => context.clock.now() >= judgedBy;
  return { decisions: decideAll({ ...observation, requests: readable }, isTimeUp), requests, others, unread };
}

async function carryOut(cluster: CertificateCluster, { request, verdict }: Decision) {
  const type = typeOf[verdict.kind];
  if (type === undefined) return 'none' as const;
  return await cluster.approveOrDeny(request, {
    type,
    reason: type === 'Approved' ? 'DroverApproved' : 'DroverDenied',
    message: `Drover: ${verdict.reason}`,
  });
}

const typeOf: Readonly<Record<Decision['verdict']['kind'], Approval['type'] | undefined>> = {
  approve: 'Approved',
  deny: 'Denied',
  later: undefined,
  conflict: undefined,
  'not-ours': undefined,
};

function oldestSeconds(decided: readonly DecidedRequest[], now: number): number {
  const waiting = decided.filter(
    ({ verdict, outcome }) => outcome === 'failed' || verdict.kind === 'later' || verdict.kind === 'conflict',
  );
  const ages = waiting.map(({ request }) => (now - request.createdAt) / 1000);
  return Math.max(0, ...ages.filter(Number.isFinite));
}

/** The notification about a request that is denied. Pure. */
export const refusalOf = ({ request, nodeName, verdict }: Decision): Notification => ({
  kind: 'certificate-refused',
  occurrence: request.uid,
  message: `certificate request ${request.name} of ${request.username} is refused: ${verdict.reason}`,
  facts: { ...(nodeName !== undefined && { nodeName }), reasons: [`${verdict.check}: ${verdict.reason}`] },
});
