import { messageOf } from '../../base/message-of.ts';
import type { AutoScalingGroup } from '../../groups/group.ts';
import { phaseOf } from '../members.ts';
import { type GroupSize, sizeFor } from '../plan/group-size.ts';
import { whyNotPlanned } from '../plan/not-planned.ts';
import { type PodSurroundings, plannedPodOf } from '../plan/pod.ts';
import { QuantityError } from '../plan/quantity.ts';
import { isPassing } from '../plan/taints.ts';
import { type IsTimeUp, throwIfTimeIsUp } from '../plan/time-limit.ts';
import type { OccupiedNode, PlannedPod } from '../plan/types.ts';
import type { PlanInput } from '../plan-input/plan-input.ts';
import { asAdmitted } from './as-admitted.ts';
import { podsWithKeptClaims } from './kept-claims.ts';
import { openOf, type PodRequest, plannedPodsOf, selectionKey } from './pod-request.ts';
import type { PodsReading, PodsRecord, PodVerdict } from './pods-reading.ts';
import { type Unplaced, whyUnplaced } from './why-unplaced.ts';

/** A hold for pods. */
export interface AskedPods {
  readonly name: string;
  readonly pods: PodRequest;
  readonly raiseMaxSize: boolean;
}

/** A group with its active holds for pods. */
export interface PodsOfGroup {
  readonly group: AutoScalingGroup;
  readonly holds: readonly AskedPods[];
  /** What the record of its floor remembers. */
  readonly remembered?: PodsRecord | undefined;
}

/** What the Nodes say beside what a plan keeps of them. */
export interface SeenNode {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly isReady: boolean;
  readonly instanceId: string | undefined;
}

interface PodsPlan {
  readonly input: PlanInput;
  /** By the name of the Node. */
  readonly seen: ReadonlyMap<string, SeenNode>;
  /** The highest MaxSize that Drover sets for a hold. */
  readonly maxSizeLimit: number;
  /** How long after it was created a Node counts as outstanding until it is Ready. */
  readonly joinTimeoutSeconds: number;
  readonly readAt: number;
  /** Once it is true, a PlanTimeError is thrown. */
  readonly isTimeUp?: IsTimeUp | undefined;
}

/** More would take longer to plan than a read may take. */
const mostOpen = 10_000;

/** How many nodes the open pods of a group need, and what becomes of each hold. Pure. */
export function planPods(asked: PodsOfGroup, plan: PodsPlan): PodsReading {
  const { group } = asked;
  const { autoScalingGroupName } = group;
  const { input, readAt, isTimeUp } = plan;
  const running = input.nodes.flatMap(({ pods }) => pods);
  // The pods of a node that leaves need room elsewhere. If they counted until they are evicted, it would be missing for a launch.
  const staying = input.nodes.flatMap(({ node, pods }) => (node.isLeaving ? [] : pods));
  const requests = asked.holds.map((hold): OpenRequest => {
    throwIfTimeIsUp(isTimeUp);
    return requestOf(hold, { running, staying, surroundings: input.surroundings });
  });
  const open = new Map(
    largestOfEach(requests).map(({ name, planned }): [string, readonly PlannedPod[]] => [name, planned]),
  );
  const count = [...open.values()].reduce((sum, list) => sum + list.length, 0);
  if (count > mostOpen)
    return {
      kind: 'failed',
      readAt,
      why: `the holds of the group ask for ${count} pods that are not there yet, and at most ${mostOpen} are planned: end some of them`,
    };
  const template = input.groups.find((one) => one.autoScalingGroupName === autoScalingGroupName)?.template;
  const own = input.nodes.filter(({ node }) => node.autoScalingGroupName === autoScalingGroupName);
  const joining = joiningOf(own, { ...plan, template });
  const maxSize = asked.holds.some(({ raiseMaxSize }) => raiseMaxSize)
    ? Math.max(group.maxSize, plan.maxSizeLimit)
    : group.maxSize;
  const size = sizeFor({
    nodes: input.nodes,
    autoScalingGroupName,
    template,
    maxSize,
    joining,
    withoutRoom: countWithoutRoom(own, { group, joining, seen: plan.seen }),
    open,
    isTimeUp,
  });
  const whole = {
    size,
    maxSize,
    ready: countReady(own, joining),
    whyNoTemplate: whyNoTemplate(asked, input),
  };
  return {
    kind: 'read',
    readAt,
    nodes: nodesOf(size, { asked, whyNoTemplate: whole.whyNoTemplate }),
    holds: Object.fromEntries(
      requests.map((request) => [request.name, verdictOf(request, { requests, whole, asked })]),
    ),
  };
}

/**
 * While pods have no place and nothing is known of the next node, as while Launch is suspended or no node is Ready, the nodes that were asked for before
 * stay asked for: the size has neither those that are launching nor those that join.
 */
function nodesOf(
  { size, withoutPlace }: GroupSize,
  { asked, whyNoTemplate }: { readonly asked: PodsOfGroup; readonly whyNoTemplate: string | undefined },
): number {
  const isKnown = whyNoTemplate === undefined || [...withoutPlace.values()].every((count) => count === 0);
  return isKnown ? size : Math.max(size, asked.remembered?.nodes ?? 0);
}

/** A hold with its open pods; `why` if they cannot be planned. */
interface OpenRequest extends AskedPods {
  readonly open: number;
  readonly planned: readonly PlannedPod[];
  readonly why?: string;
}

function requestOf(hold: AskedPods, known: Omit<Wanted, 'name' | 'count'>): OpenRequest {
  const { name, pods } = hold;
  const open = openOf(pods, known.staying);
  const why = whyNotPlanned({ spec: pods.template.spec });
  if (why !== undefined) return { ...hold, open, planned: [], why };
  try {
    return { ...hold, open, planned: plan(pods, { ...known, name, count: open }) };
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return { ...hold, open, planned: [], why: messageOf(error) };
  }
}

interface Wanted {
  readonly name: string;
  readonly count: number;
  readonly surroundings: PodSurroundings;
  readonly running: readonly PlannedPod[];
  /** The running pods on nodes that stay. */
  readonly staying: readonly PlannedPod[];
}

function plan(
  request: PodRequest,
  { name, count, surroundings, running, staying }: Wanted,
): readonly PlannedPod[] {
  const { volumes } = surroundings;
  const kept = podsWithKeptClaims(request, volumes, staying);
  const { pods, claims } = plannedPodsOf(request, { name, count, kept, known: volumes.claims });
  const withClaims =
    claims.size === 0
      ? surroundings
      : { ...surroundings, volumes: { ...volumes, claims: new Map([...volumes.claims, ...claims]) } };
  const planned = pods.map((pod) => plannedPodOf(pod, withClaims));
  const admit = asAdmitted(request, running);
  return admit === undefined ? planned : planned.map(admit);
}

/** Of holds that select the same pods, the one that asks for most: one pod that arrives, arrives for all of them. */
function largestOfEach(requests: readonly OpenRequest[]): readonly OpenRequest[] {
  return requests.filter((request) => largestLike(request, requests) === request);
}

function largestLike(request: OpenRequest, requests: readonly OpenRequest[]): OpenRequest {
  const key = selectionKey(request.pods);
  if (key === undefined || request.why !== undefined) return request;
  return requests
    .filter((other) => other.why === undefined && selectionKey(other.pods) === key)
    .reduce((most, other) => (other.pods.total > most.pods.total ? other : most));
}

/**
 * Nodes of the group that are not what they will be: not Ready, with a taint that a component removes, or without a resource that a device plugin adds.
 * Counting them as nodes without room would launch another one for each.
 */
function joiningOf(
  own: readonly OccupiedNode[],
  {
    seen,
    joinTimeoutSeconds,
    readAt,
    template,
  }: Pick<PodsPlan, 'seen' | 'joinTimeoutSeconds' | 'readAt'> & {
    readonly template: OccupiedNode | undefined;
  },
): ReadonlySet<string> {
  const expected = [...(template?.node.allocatable ?? [])].filter(([, amount]) => amount > 0);
  const isJoining = ({ node }: OccupiedNode): boolean => {
    const known = seen.get(node.name);
    if (known === undefined || readAt - known.createdAt >= joinTimeoutSeconds * 1000) return false;
    if (!known.isReady) return true;
    const lacks = expected.some(([resource]) => (node.allocatable.get(resource) ?? 0) === 0);
    return node.closed === undefined && (lacks || node.taints.some(isPassing));
  };
  return new Set(own.filter(isJoining).map(({ node }) => node.name));
}

/** The instances that count in the size of the group, and whose nodes take no pods: cordoned, or not Ready for longer than a join takes. */
function countWithoutRoom(
  own: readonly OccupiedNode[],
  {
    group,
    joining,
    seen,
  }: {
    readonly group: AutoScalingGroup;
    readonly joining: ReadonlySet<string>;
    readonly seen: ReadonlyMap<string, SeenNode>;
  },
): number {
  const counting = new Set(
    group.instances
      .filter(({ lifecycleState }) => ['pending', 'in-service'].includes(phaseOf(lifecycleState)))
      .map(({ instanceId }) => instanceId),
  );
  const instanceOf = ({ node }: OccupiedNode): string => seen.get(node.name)?.instanceId ?? '';
  const isOut = ({ node }: OccupiedNode): boolean => node.closed !== undefined && !joining.has(node.name);
  // An instance may have two Nodes, as after its name was changed.
  const others = new Set(own.filter((one) => !isOut(one)).map(instanceOf));
  const out = new Set(own.filter(isOut).map(instanceOf));
  return [...out].filter((instance) => counting.has(instance) && !others.has(instance)).length;
}

const countReady = (own: readonly OccupiedNode[], joining: ReadonlySet<string>): number =>
  own.filter(({ node }) => node.closed === undefined && !joining.has(node.name)).length;

/** The input of a plan has only worker groups. */
function whyNoTemplate(
  { group: { autoScalingGroupName: name } }: PodsOfGroup,
  { groups, groupsWithoutTemplate }: PlanInput,
): string | undefined {
  const isOfName = (group: { readonly autoScalingGroupName: string }): boolean =>
    group.autoScalingGroupName === name;
  if (groups.some(isOfName)) return undefined;
  return groupsWithoutTemplate.find(isOfName)?.reason ?? 'nodes are added for pods only to groups of workers';
}

interface Whole {
  readonly size: GroupSize;
  readonly maxSize: number;
  readonly ready: number;
  readonly whyNoTemplate: string | undefined;
}

function verdictOf(
  request: OpenRequest,
  {
    requests,
    whole,
    asked,
  }: { readonly requests: readonly OpenRequest[]; readonly whole: Whole; readonly asked: PodsOfGroup },
): PodVerdict {
  const { name, open, pods, why } = request;
  const counts = { total: pods.total, open };
  if (open === 0) return { ...counts, placed: 0 };
  if (why !== undefined)
    return { ...counts, placed: 0, withoutPlace: open, why: `they cannot be planned: ${why}` };
  const { size, maxSize, ready } = whole;
  const planned = largestLike(request, requests);
  // Of the same pods, the smaller hold gets its places first.
  const placed = Math.min(open, size.placedNow.get(planned.name) ?? 0);
  const unplaced = size.withoutPlace.get(planned.name) ?? 0;
  const withoutPlace = Math.max(0, open - (planned.planned.length - unplaced));
  if (placed === open) return { ...counts, placed };
  const facts: Unplaced = {
    shapes: new Set(planned.planned.map(({ shape }) => shape)),
    size,
    autoScalingGroupName: asked.group.autoScalingGroupName,
    maxSize,
    whyNoTemplate: whole.whyNoTemplate,
  };
  const reasons = [
    ...(withoutPlace > 0
      ? whyUnplaced(facts)
      : [`${nodesAre(size.size)} needed, and ${ready} ${ready === 1 ? 'is' : 'are'} Ready`]),
    ...(hasLostRoom({ open, placed }, asked.remembered?.holds[name]) ? [lostRoom] : []),
  ];
  return {
    ...counts,
    placed,
    ...(withoutPlace > 0 && { withoutPlace }),
    why: reasons.join('; '),
  };
}

const nodesAre = (count: number): string => (count === 1 ? '1 node is' : `${count} nodes are`);

const lostRoom =
  'there was room for all of them: pods of other workloads or other holds took it, or a node has left. A taint on the nodes of the group, which these pods tolerate, keeps other pods away';

/** The room was there at the read before, or had been lost before, and no pod has gone since. */
const hasLostRoom = (
  { open }: Pick<PodVerdict, 'open' | 'placed'>,
  before: PodVerdict | undefined,
): boolean =>
  before !== undefined &&
  before.open > 0 &&
  open <= before.open &&
  (before.placed === before.open || (before.why ?? '').includes('there was room for all of them'));
