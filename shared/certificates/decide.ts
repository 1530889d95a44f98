import {
  approvedAt,
  type CertificateRequest,
  isPending,
  nodeNameOf,
  type Requester,
  requesterOf,
  signers,
} from './certificate-request.ts';
import type { CertificateSettings, InstanceFacts, NodeFacts, OtherNode } from './facts.ts';
import { addressesCheck, credentialCheck, pinsCheck } from './instance-checks.ts';
import type { ReadRequest, RequestText } from './read-request.ts';
import { formCheck, keyCheck, lifetimeCheck, othersCheck, subjectCheck } from './request-checks.ts';
import { cellOf, meantInstances, situationCheck, situationOf } from './situation.ts';
import {
  approve,
  type Case,
  type CheckAnswer,
  conflict,
  type DecisionInput,
  deny,
  later,
  notOurs,
  type Rival,
  type Verdict,
} from './verdict.ts';

/** A request as listed. Its text is parsed only if the verdict depends on it. */
export interface ListedRequest extends Pick<RequestText, 'read'> {
  readonly request: CertificateRequest;
  /** Undefined for a request that names no Node. */
  readonly nodeName: string | undefined;
}

export function listedRequest(request: CertificateRequest, { commonName, read }: RequestText): ListedRequest {
  return { request, read, nodeName: commonName === undefined ? undefined : nodeNameOf(commonName) };
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

/**
 * The verdict on every pending request: first those of launching instances, and of them one for each name, so that many requests for one
 * name do not delay those of another. What is not judged before the time is up waits for the next run.
 */
export function decideAll(
  observation: CertificateObservation,
  isTimeUp: () => boolean = () => false,
): readonly Decision[] {
  const { requests } = observation;
  const turns = inTurns(requests.filter(({ request }) => isPending(request)));
  const { launching = [], others = [] } = Object.groupBy(turns, (listed) =>
    isLaunching(listed, observation) ? 'launching' : 'others',
  );
  const pending = [...launching, ...others];
  const judged = new Map<ListedRequest, Judged>();
  for (const listed of pending) {
    if (isTimeUp()) break;
    judged.set(listed, judge(inputOf(listed, observation)));
  }
  const rivals = rivalsAmong(observation, judged);
  return pending.map((listed) => {
    const own = judged.get(listed);
    return { ...listed, verdict: own ? conclude(own, rivals(listed)) : notJudgedYet };
  });
}

const notJudgedYet: Verdict = {
  ...later('so many requests are pending that the time of a run ends before this one is judged'),
  check: 'time',
};

/** The name has an instance and no Ready Node: a node may wait for this certificate. */
const isLaunching = ({ nodeName }: ListedRequest, { instancesOf, nodeOf }: CertificateObservation): boolean =>
  nodeName !== undefined && instancesOf(nodeName).length > 0 && nodeOf(nodeName)?.isReady !== true;

function inputOf({ request, read, nodeName }: ListedRequest, observation: CertificateObservation) {
  const { instancesOf, nodeOf, settings, now } = observation;
  return {
    request,
    read,
    instances: nodeName === undefined ? [] : instancesOf(nodeName),
    node: nodeName === undefined ? undefined : nodeOf(nodeName),
    otherNode: otherNodeOf({ request, nodeName }, observation),
    settings,
    now,
  };
}

type NamedRequest = Pick<ListedRequest, 'request' | 'nodeName'>;

const meantBy = (
  { request, nodeName }: NamedRequest,
  { instancesOf, nodeOf, settings }: CertificateObservation,
): readonly InstanceFacts[] =>
  nodeName === undefined
    ? []
    : meantInstances({
        instances: instancesOf(nodeName),
        node: nodeOf(nodeName),
        requester: requesterOf(request),
        settings,
      });

/** The Ready one if there are several. */
function otherNodeOf(named: NamedRequest, observation: CertificateObservation): OtherNode | undefined {
  const others = meantBy(named, observation).flatMap(({ instanceId, nodeNames }) =>
    nodeNames
      .filter((name) => name !== named.nodeName)
      .flatMap((name) => {
        const node = observation.nodeOf(name);
        return node?.instanceId === instanceId ? [{ name, isReady: node.isReady }] : [];
      }),
  );
  return others.find(({ isReady }) => isReady) ?? others[0];
}

/**
 * Requests that would be denied anyway do not count, because invalid requests must not cause a conflict; those that were not judged do. An instance gets one Node, so client
 * requests for any of its names are rivals.
 */
function rivalsAmong(
  observation: CertificateObservation,
  judged: ReadonlyMap<ListedRequest, Judged>,
): (listed: ListedRequest) => readonly Rival[] {
  const counts = (listed: ListedRequest): boolean => {
    const own = judged.get(listed);
    if (own !== undefined) return 'passed' in own;
    // One that was not judged may have another key.
    return isPending(listed.request) || approvedAt(listed.request) !== undefined;
  };
  const nameAndKey = (listed: ListedRequest): string => {
    const isRead = judged.has(listed) || !isPending(listed.request);
    const reading = isRead ? listed.read() : undefined;
    return `${listed.nodeName} ${reading?.kind === 'read' ? reading.request.keyFingerprint : listed.request.uid}`;
  };
  const claimsOf = ({ request, nodeName }: ListedRequest): readonly string[] => {
    const isClient = request.signerName === signers.client;
    const meant = isClient ? meantBy({ request, nodeName }, observation) : [];
    return meant.length > 0
      ? meant.map(({ instanceId }) => instanceId)
      : [nameAndSigner({ request, nodeName })];
  };
  const byClaim = Map.groupBy(
    observation.requests
      .filter(counts)
      .flatMap((listed) => claimsOf(listed).map((claim) => ({ claim, listed }))),
    ({ claim }) => claim,
  );
  return (own) =>
    claimsOf(own)
      .flatMap((claim) => byClaim.get(claim) ?? [])
      .filter(({ listed }) => nameAndKey(listed) !== nameAndKey(own))
      .flatMap(({ listed }) => toRival(listed));
}

const nameAndSigner = ({ request, nodeName }: NamedRequest): string => `${request.signerName} ${nodeName}`;

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
  const [readable, odd] = [true, false].map((isFinite) =>
    requests.filter(({ request }) => Number.isFinite(request.createdAt) === isFinite),
  );
  const oldestFirst = [
    ...(readable ?? []).toSorted((one, other) => one.request.createdAt - other.request.createdAt),
    ...(odd ?? []),
  ];
  const turns = [...Map.groupBy(oldestFirst, nameAndSigner).values()].flatMap((ofName) =>
    ofName.map((listed, turn) => ({ listed, turn })),
  );
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ listed }) => listed);
}

interface Check {
  readonly name: string;
  readonly check: (one: Case) => CheckAnswer;
}

/** The checks that read one request only, in order: the first answer is the verdict. */
const ownChecks: readonly Check[] = [
  { name: 'form', check: ({ request, read }) => formCheck(request, read) },
  { name: 'key', check: ({ read }) => keyCheck(read) },
  { name: 'lifetime', check: ({ request }) => lifetimeCheck(request) },
  { name: 'subject', check: subjectCheck },
  { name: 'pins', check: pinsCheck },
  { name: 'credential', check: credentialCheck },
  { name: 'situation', check: situationCheck },
  { name: 'addresses', check: addressesCheck },
];

type Judged = { readonly verdict: Verdict } | { readonly passed: Case };

/** Runs every check that reads no other request. Requests that pass are rivals if they ask for one name. */
export function judge(input: DecisionInput): Judged {
  const { request } = input;
  const requester = requesterOf(request);
  const elsewhere = othersCheck(request, requester);
  if (elsewhere || requester === undefined)
    return answered('scope', elsewhere ?? notOurs('its requester is unknown'));
  const reading = input.read();
  if (reading.kind === 'unreadable')
    return answered('request', deny(`it cannot be read: ${reading.problem}`));
  const one = caseOf(input, requester, reading.request);
  for (const { name, check } of ownChecks) {
    const answer = check(one);
    if (answer) return answered(name, answer);
  }
  return { passed: one };
}

/** The verdict on a judged request, given its rivals. */
export function conclude(judged: Judged, rivals: readonly Rival[]): Verdict {
  if ('verdict' in judged) return judged.verdict;
  const answer = keysCheck(judged.passed, rivals);
  return answer
    ? { ...answer, check: 'keys' }
    : { ...approve(reasonToApprove(judged.passed)), check: 'approval' };
}

const answered = (check: string, answer: Omit<Verdict, 'check'>): Judged => ({
  verdict: { ...answer, check },
});

const caseOf = ({ instances, ...input }: DecisionInput, requester: Requester, read: ReadRequest): Case => ({
  ...input,
  read,
  requester,
  situation: situationOf({ ...input, instances, requester }),
});

function reasonToApprove({ requester, situation }: Case): string {
  if (!('instance' in situation)) return situation.reason;
  const { instanceId, group } = situation.instance;
  const place = `instance ${instanceId} of group ${group?.autoScalingGroupName}`;
  switch (requester.kind) {
    case 'node':
      return `the node itself asks, and is ${place}`;
    case 'instance':
      return `${place} asks with its own credential`;
    case 'token':
      return `${place} has the name, joins within its window, and no other key asks for it`;
  }
}

/** A name gets a certificate for one key only. */
function keysCheck(one: Case, others: readonly Rival[]): CheckAnswer {
  if (one.request.signerName === signers.serving) return supersededCheck(one, others);
  if (cellOf(one) !== 'in-window' || !('since' in one.situation)) return undefined;
  const { since } = one.situation;
  const rivals = others.filter(
    ({ requester, approvedAt }) => requester !== 'node' && !(approvedAt !== undefined && approvedAt < since),
  );
  const proven = rivals.find(({ requester }) => requester === 'instance');
  if (proven) return deny(`the instance itself asks under another key, in request ${proven.requestName}`);
  const [rival] = rivals;
  if (rival === undefined) return undefined;
  const place = rivals.length === 1 ? `request ${rival.requestName}` : `${rivals.length} requests`;
  return conflict(
    `another key asks for this name, in ${place}: approve one with drover csr approve, or replace the instance`,
  );
}

/** A kubelet that asks again for its serving certificate uses a new key, and waits only for the newest request. */
function supersededCheck({ request }: Case, rivals: readonly Rival[]): CheckAnswer {
  const newer = rivals.find((rival) => rival.approvedAt === undefined && isNewer(rival, request));
  return newer && deny(`a newer request of the node replaces it: ${newer.requestName}`);
}

const isNewer = (
  rival: Pick<Rival, 'createdAt' | 'requestName'>,
  request: { readonly createdAt: number; readonly name: string },
): boolean =>
  rival.createdAt > request.createdAt ||
  (rival.createdAt === request.createdAt && rival.requestName > request.name);
