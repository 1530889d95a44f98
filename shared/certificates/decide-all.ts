import { approvedAt, type CertificateRequest, isPending, signers } from './certificate-request.ts';
import { conclude, type Judged, judge } from './decide.ts';
import type { CertificateSettings, InstanceFacts, NodeFacts } from './facts.ts';
import type { RequestReading } from './read-request.ts';
import { nodeNameOf } from './request-checks.ts';
import { requesterOf } from './requester.ts';
import { livingInstances } from './situation.ts';
import type { Rival, Verdict } from './verdict.ts';

/** A request and what it says. */
export interface Petition {
  readonly request: CertificateRequest;
  readonly reading: RequestReading;
  /** Undefined for a request that names no Node. */
  readonly nodeName: string | undefined;
}

export function petitionOf(request: CertificateRequest, reading: RequestReading): Petition {
  const nodeName = reading.kind === 'read' ? nodeNameOf(reading.request.commonName) : undefined;
  return { request, reading, nodeName };
}

/** What was observed of the names of all requests. */
export interface CertificateObservation {
  readonly petitions: readonly Petition[];
  readonly instancesOf: (nodeName: string) => readonly InstanceFacts[];
  readonly nodeOf: (nodeName: string) => NodeFacts | undefined;
  readonly settings: CertificateSettings;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Decision extends Petition {
  readonly verdict: Verdict;
}

/** The verdict on every pending request, one of each name first, so that many requests for one name do not delay another's. */
export function decideAll(observation: CertificateObservation): readonly Decision[] {
  const { petitions } = observation;
  const pending = petitions.filter(({ request }) => isPending(request));
  const judged = new Map(pending.map((petition) => [petition, judge(inputOf(petition, observation))]));
  const rivals = rivalsAmong(observation, judged);
  return inTurns(pending).map((petition) => ({
    ...petition,
    verdict: conclude(judged.get(petition) ?? judge(inputOf(petition, observation)), rivals(petition)),
  }));
}

const inputOf = (
  { request, reading, nodeName }: Petition,
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
 * Requests that would be denied by themselves do not count: junk must not make a conflict. An instance gets one Node, so client requests for
 * any of its names are rivals.
 */
function rivalsAmong(
  { petitions, instancesOf, settings }: CertificateObservation,
  judged: ReadonlyMap<Petition, Judged>,
): (petition: Petition) => readonly Rival[] {
  const counts = (petition: Petition): boolean => {
    const own = judged.get(petition);
    return own === undefined ? approvedAt(petition.request) !== undefined : 'passed' in own;
  };
  const prizesOf = ({ request, nodeName }: Petition): readonly string[] => {
    const isClient = request.signerName === signers.client && nodeName !== undefined;
    const living = isClient ? livingInstances({ instances: instancesOf(nodeName), settings }) : [];
    return living.length > 0
      ? living.map(({ instanceId }) => instanceId)
      : [nameAndSigner({ request, nodeName })];
  };
  const byPrize = Map.groupBy(
    petitions.filter(counts).flatMap((petition) => prizesOf(petition).map((prize) => ({ prize, petition }))),
    ({ prize }) => prize,
  );
  return (own) =>
    prizesOf(own)
      .flatMap((prize) => byPrize.get(prize) ?? [])
      .filter(({ petition }) => nameAndKey(petition) !== nameAndKey(own))
      .flatMap(({ petition }) => toRival(petition));
}

const nameAndSigner = ({ request, nodeName }: Pick<Petition, 'request' | 'nodeName'>): string =>
  `${request.signerName} ${nodeName}`;

const nameAndKey = ({ request, reading, nodeName }: Petition): string =>
  `${nodeName} ${reading.kind === 'read' ? reading.request.keyFingerprint : request.uid}`;

function toRival({ request }: Petition): readonly Rival[] {
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
function inTurns(petitions: readonly Petition[]): readonly Petition[] {
  const oldestFirst = petitions.toSorted((one, other) => one.request.createdAt - other.request.createdAt);
  const turns = [...Map.groupBy(oldestFirst, nameAndSigner).values()].flatMap((ofName) =>
    ofName.map((petition, turn) => ({ petition, turn })),
  );
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ petition }) => petition);
}
