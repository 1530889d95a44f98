import { approvedAt, type CertificateRequest, isPending, signers } from './certificate-request.ts';
import { conclude, type Judged, judge } from './decide.ts';
import type { CertificateSettings, InstanceFacts, NodeFacts } from './facts.ts';
import type { RequestReading } from './read-request.ts';
import { nodeNameOf } from './request-checks.ts';
import { requesterOf } from './requester.ts';
import { livingInstances } from './situation.ts';
import type { Rival, Verdict } from './verdict.ts';

/** A request as listed, with its parsed content. */
export interface ListedRequest {
  readonly request: CertificateRequest;
  readonly reading: RequestReading;
  /** Undefined for a request that names no Node. */
  readonly nodeName: string | undefined;
}

export function listedRequest(request: CertificateRequest, reading: RequestReading): ListedRequest {
  const nodeName = reading.kind === 'read' ? nodeNameOf(reading.request.commonName) : undefined;
  return { request, reading, nodeName };
}

/** What was observed about the names of all requests. */
export interface CertificateObservation {
  readonly requests: readonly ListedRequest[];
  readonly instancesOf: (nodeName: string) => readonly InstanceFacts[];
  readonly nodeOf: (nodeName: string) => NodeFacts | undefined;
  readonly settings: CertificateSettings;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Decision extends ListedRequest {
  readonly verdict: Verdict;
}

/** The verdict on every pending request, one for each name first, so that many requests for one name do not delay those of another. */
export function decideAll(observation: CertificateObservation): readonly Decision[] {
  const { requests } = observation;
  const pending = requests.filter(({ request }) => isPending(request));
  const judged = new Map(pending.map((listed) => [listed, judge(inputOf(listed, observation))]));
  const rivals = rivalsAmong(observation, judged);
  return inTurns(pending).map((listed) => ({
    ...listed,
    verdict: conclude(judged.get(listed) ?? judge(inputOf(listed, observation)), rivals(listed)),
  }));
}

const inputOf = (
  { request, reading, nodeName }: ListedRequest,
  { instancesOf, nodeOf, settings, now }: CertificateObservation,
) => ({
  request,
  reading,
  instances: nodeName === undefined ? [] : instancesOf(nodeName),
  node: nodeName === undefined ? undefined : nodeOf(nodeName),
  settings,
  now,
});

/**
 * Requests that would be denied anyway do not count: invalid requests must not cause a conflict. An instance gets one Node, so client
 * requests for any of its names are rivals.
 */
function rivalsAmong(
  { requests, instancesOf, settings }: CertificateObservation,
  judged: ReadonlyMap<ListedRequest, Judged>,
): (listed: ListedRequest) => readonly Rival[] {
  const counts = (listed: ListedRequest): boolean => {
    const own = judged.get(listed);
    return own === undefined ? approvedAt(listed.request) !== undefined : 'passed' in own;
  };
  const claimsOf = ({ request, nodeName }: ListedRequest): readonly string[] => {
    const isClient = request.signerName === signers.client && nodeName !== undefined;
    const living = isClient ? livingInstances({ instances: instancesOf(nodeName), settings }) : [];
    return living.length > 0
      ? living.map(({ instanceId }) => instanceId)
      : [nameAndSigner({ request, nodeName })];
  };
  const byClaim = Map.groupBy(
    requests.filter(counts).flatMap((listed) => claimsOf(listed).map((claim) => ({ claim, listed }))),
    ({ claim }) => claim,
  );
  return (own) =>
    claimsOf(own)
      .flatMap((claim) => byClaim.get(claim) ?? [])
      .filter(({ listed }) => nameAndKey(listed) !== nameAndKey(own))
      .flatMap(({ listed }) => toRival(listed));
}

const nameAndSigner = ({ request, nodeName }: Pick<ListedRequest, 'request' | 'nodeName'>): string =>
  `${request.signerName} ${nodeName}`;

const nameAndKey = ({ request, reading, nodeName }: ListedRequest): string =>
  `${nodeName} ${reading.kind === 'read' ? reading.request.keyFingerprint : request.uid}`;

function toRival({ request }: ListedRequest): readonly Rival[] {
  const requester = requesterOf(request)?.kind;
  return requester === undefined
    ? []
    : [
        {
          requestName: request.name,
          requester,
          createdAt: request.createdAt,
          approvedAt: approvedAt(request),
        },
      ];
}

/** The oldest of every name, then the second of every name, and so on. */
function inTurns(requests: readonly ListedRequest[]): readonly ListedRequest[] {
  const oldestFirst = requests.toSorted((one, other) => one.request.createdAt - other.request.createdAt);
  const turns = [...Map.groupBy(oldestFirst, nameAndSigner).values()].flatMap((ofName) =>
    ofName.map((listed, turn) => ({ listed, turn })),
  );
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ listed }) => listed);
}
