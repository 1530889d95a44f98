import type { Requester } from './certificate-request.ts';
import type { CertificateSettings, InstanceFacts, NodeFacts, OtherNode } from './facts.ts';
import { type Case, type CheckAnswer, conflict, deny, later, notOurs } from './verdict.ts';

/** The situation of a name: a row of the table. The reason continues a sentence about the request. */
export type Situation =
  | { readonly kind: 'no-instance' | 'several-instances'; readonly reason: string }
  | {
      readonly kind:
        | 'unmanaged'
        | 'stopped'
        | 'leaving'
        | 'held'
        | 'no-node'
        | 'node-elsewhere'
        | 'node-ready'
        | 'node-returning'
        | 'node-not-ready'
        | 'node-without-instance'
        | 'node-left-over'
        | 'node-of-another';
      readonly reason: string;
      readonly instance: InstanceFacts;
      /** The beginning of the window: the launch, or the last event that makes a node join again. */
      readonly since: number;
    };

interface NameFacts {
  /** Every instance of that name. */
  readonly instances: readonly InstanceFacts[];
  readonly node: NodeFacts | undefined;
  readonly requester: Requester | undefined;
  readonly settings: Pick<CertificateSettings, 'vpcId'>;
}

interface SituationInput extends NameFacts {
  readonly otherNode?: OtherNode | undefined;
}

const isGone = (state: InstanceFacts['state'] | undefined): boolean =>
  state === undefined || state === 'terminated' || state === 'shutting-down';

/**
 * The instances that a request may mean: those that are neither gone nor outside the pinned VPC. EC2 gives a private DNS name once in each
 * VPC, so two VPCs with the same addresses have it twice. Then the credential or the Node may name the instance, and an instance outside the
 * managed groups is a stranger. The VPC of a managed instance is that of the subnets of its group.
 */
export function meantInstances({
  instances,
  node,
  requester,
  settings: { vpcId },
}: NameFacts): readonly InstanceFacts[] {
  const living = instances.filter(
    (instance) => !isGone(instance.state) && (vpcId === '' || instance.vpcId === vpcId),
  );
  if (living.length < 2) return living;
  const id = instanceIdFrom(requester, node);
  const named = living.find(({ instanceId }) => instanceId === id);
  if (named) return [named];
  const managed = living.filter(({ group }) => group !== undefined);
  return managed.length > 0 ? managed : living;
}

/** A bootstrap token names no instance, and the Node of the name may belong to an earlier one. */
const instanceIdFrom = (
  requester: Requester | undefined,
  node: NodeFacts | undefined,
): string | undefined => {
  switch (requester?.kind) {
    case 'instance':
      return requester.instanceId;
    case 'node':
      return node?.instanceId;
    default:
      return undefined;
  }
};

/** The row of the table for a name. */
export function situationOf(input: SituationInput): Situation {
  const { vpcId } = input.settings;
  const meant = meantInstances(input);
  const [instance] = meant;
  if (instance === undefined)
    return { kind: 'no-instance', reason: `no instance${vpcId && ` of ${vpcId}`} has this name` };
  if (meant.length > 1)
    return {
      kind: 'several-instances',
      reason: `${meant.length} instances have this name: ${idsOf(meant)}`,
    };
  const since = Math.max(...joinTimes(instance));
  return { ...ofInstance(instance, input, since), instance, since };
}

const idsOf = (instances: readonly InstanceFacts[]): string =>
  instances.map(({ instanceId, vpcId }) => (vpcId ? `${instanceId} in ${vpcId}` : instanceId)).join(', ');

const joinTimes = ({ launchedAt, rootVolumeAttachedAt, returnedAt }: InstanceFacts): readonly number[] => [
  launchedAt ?? -Infinity,
  rootVolumeAttachedAt ?? -Infinity,
  returnedAt ?? -Infinity,
];

type Nodes = Pick<SituationInput, 'node' | 'otherNode'>;
type InstanceSituation = Pick<Extract<Situation, { instance: InstanceFacts }>, 'kind' | 'reason'>;

function ofInstance(instance: InstanceFacts, nodes: Nodes, since: number): InstanceSituation {
  const { instanceId, state, group } = instance;
  if (state === 'stopped' || state === 'stopping')
    return { kind: 'stopped', reason: `instance ${instanceId} is ${state}` };
  if (group === undefined)
    return { kind: 'unmanaged', reason: `instance ${instanceId} is in no managed group` };
  const { lifecycleState } = group;
  if (/Terminat|^ReplacingRootVolume/.test(lifecycleState))
    return { kind: 'leaving', reason: `instance ${instanceId} is leaving (${lifecycleState})` };
  if (!joining.includes(lifecycleState))
    return { kind: 'held', reason: `instance ${instanceId} is in ${lifecycleState}` };
  return ofNode(instance, nodes, since);
}

const joining = ['Pending', 'Pending:Wait', 'Pending:Proceed', 'InService', 'RootVolumeReplaced'];

function ofNode({ instanceId }: InstanceFacts, { node, otherNode }: Nodes, since: number): InstanceSituation {
  const isOwn = node?.instanceId === instanceId;
  // A Node that is not Ready may be left over from the time before a change of its name.
  if (otherNode && (otherNode.isReady || !isOwn))
    return {
      kind: 'node-elsewhere',
      reason: `instance ${instanceId} already has the Node ${otherNode.name}, and an instance has one Node`,
    };
  if (node === undefined) return { kind: 'no-node', reason: `instance ${instanceId} has no Node yet` };
  if (node.instanceId === undefined)
    return { kind: 'node-without-instance', reason: 'the Node of this name has no providerID' };
  if (!isOwn)
    return isGone(node.instanceState)
      ? {
          kind: 'node-left-over',
          reason: `the Node of this name is left over from instance ${node.instanceId}, which is terminated`,
        }
      : {
          kind: 'node-of-another',
          reason: `the Node of this name belongs to instance ${node.instanceId}, which is ${node.instanceState}`,
        };
  if (node.isReady) return { kind: 'node-ready', reason: 'the Node of this name is Ready' };
  return since > node.createdAt
    ? {
        kind: 'node-returning',
        reason:
          'the Node of this name is not Ready, and AWS shows why: a start, a new root volume or a return to service',
      }
    : { kind: 'node-not-ready', reason: 'the Node of this name is not Ready, and AWS shows no cause' };
}

/**
 * A cell of the table:
 * - `approve`: the checks of keys and addresses follow;
 * - `in-window`: as approve, if the request was made within the window; otherwise an operator decides;
 * - `foreign`: left for other approvers;
 * - `settling`: later until EC2 must know the name, then deny.
 */
type Cell = 'approve' | 'in-window' | 'later' | 'settling' | 'foreign' | 'conflict' | 'deny';

/** Credential x situation -> verdict: docs/certificates.md explains each cell. */
const table: Readonly<Record<Situation['kind'], Readonly<Record<Requester['kind'], Cell>>>> = {
  'no-node': { token: 'in-window', instance: 'approve', node: 'later' },
  'node-elsewhere': { token: 'conflict', instance: 'conflict', node: 'conflict' },
  'node-ready': { token: 'conflict', instance: 'approve', node: 'approve' },
  'node-returning': { token: 'in-window', instance: 'approve', node: 'approve' },
  'node-not-ready': { token: 'later', instance: 'approve', node: 'approve' },
  'node-without-instance': { token: 'later', instance: 'later', node: 'later' },
  'node-left-over': { token: 'later', instance: 'later', node: 'deny' },
  'node-of-another': { token: 'later', instance: 'later', node: 'deny' },
  stopped: { token: 'later', instance: 'deny', node: 'deny' },
  leaving: { token: 'deny', instance: 'deny', node: 'approve' },
  held: { token: 'later', instance: 'later', node: 'approve' },
  unmanaged: { token: 'foreign', instance: 'foreign', node: 'foreign' },
  'no-instance': { token: 'settling', instance: 'settling', node: 'settling' },
  'several-instances': { token: 'later', instance: 'settling', node: 'later' },
};

/** EC2 and the API server have two clocks. A request this much older than the launch waits for an operator instead of being denied. */
const clockSkewSeconds = 5;
/** EC2 lists a new instance after seconds; after minutes it certainly does. */
export const settleSeconds = 300;

/** The API server removes an approved request after an hour. After that, Drover would not notice a second key. */
const rivalsKeptSeconds = 3600;

const byOperator = 'an operator decides: drover csr approve';

export const cellOf = ({ situation, requester }: Case): Cell => table[situation.kind][requester.kind];

/** The cell of the table, and the window of its `in-window`. */
export function situationCheck(one: Case): CheckAnswer {
  const { reason } = one.situation;
  switch (cellOf(one)) {
    case 'approve':
      return ownNodeCheck(one);
    case 'in-window':
      return windowCheck(one);
    case 'later':
      return later(`${reason}; ${whatEnds(one)}`);
    case 'settling':
      if (one.requester.kind === 'node' && one.node && one.node.instanceId === undefined)
        return notOurs(`${reason}, and its Node is not an EC2 instance`);
      return one.now - one.request.createdAt < settleSeconds * 1000
        ? later(`${reason}, and EC2 may not know it yet`)
        : deny(reason);
    case 'foreign':
      return notOurs(reason);
    case 'conflict':
      return one.situation.kind === 'node-elsewhere'
        ? conflict(`${reason}: delete that Node if it is no longer used, or replace the instance`)
        : conflict(`${reason}, so another key has its certificate: ${byOperator}, or replace the instance`);
    case 'deny':
      return deny(reason);
  }
}

/** A certificate may outlive its instance: a renewal needs the Node of this instance, also in Standby, in a warm pool and while it leaves. */
function ownNodeCheck({ requester, situation, node }: Case): CheckAnswer {
  if (requester.kind !== 'node' || !('instance' in situation)) return undefined;
  const { instanceId } = situation.instance;
  if (node?.instanceId === undefined) return later(`${situation.reason}, and has no Node that shows its id`);
  return node.instanceId === instanceId
    ? undefined
    : deny(`${situation.reason}, and the Node of this name belongs to instance ${node.instanceId}`);
}

function whatEnds({ situation, requester }: Case): string {
  switch (situation.kind) {
    case 'no-node':
      return 'it is decided once the kubelet has made the Node';
    case 'node-without-instance':
      return 'it is decided once the cloud provider has set it';
    case 'node-left-over':
      return 'it is decided once that Node is removed';
    case 'held':
    case 'stopped':
      return 'it is decided once the instance is back in service';
    case 'several-instances':
      return `set nodeVpcId to the VPC of the nodes, or ${byOperator}`;
    default:
      return requester.kind === 'token' ? byOperator : 'it is checked again';
  }
}

function windowCheck(one: Case): CheckAnswer {
  const { request, situation, settings, now } = one;
  if (!('since' in situation)) return undefined;
  const { instanceId } = situation.instance;
  const afterSeconds = (request.createdAt - situation.since) / 1000;
  const early = launchCheck(one, situation.instance);
  if (early) return early;
  if (afterSeconds < -clockSkewSeconds && !waitsForReturn(one, situation.instance))
    return later(
      `it was made before instance ${instanceId} last started or returned to service; its kubelet asks again, or ${byOperator}`,
    );
  if (afterSeconds > settings.joinWindowSeconds)
    return later(
      `it was made ${Math.round(afterSeconds / 60)} minutes after the launch of instance ${instanceId}, outside the window of ${settings.joinWindowSeconds / 60}: ${byOperator}`,
    );
  return now - situation.since <= rivalsKeptSeconds * 1000
    ? undefined
    : later(
        `instance ${instanceId} was launched more than an hour ago, and the API server may have removed another key’s request: ${byOperator}`,
      );
}

/** EC2 gives an instance that is started again a new launch time, but its first root volume keeps the time of the first one. */
function launchCheck(
  { request }: Case,
  { instanceId, launchedAt, rootVolumeAttachedAt = Number.POSITIVE_INFINITY }: InstanceFacts,
): CheckAnswer {
  if (launchedAt === undefined) return later(`EC2 does not show when instance ${instanceId} was launched`);
  // A creationTimestamp has whole seconds.
  const launchedAtSecond = Math.floor(Math.min(launchedAt, rootVolumeAttachedAt) / 1000);
  const afterSeconds = request.createdAt / 1000 - launchedAtSecond;
  if (afterSeconds < -clockSkewSeconds) return deny(`it was made before instance ${instanceId} was launched`);
  return afterSeconds < 0
    ? later(
        `it was made less than ${clockSkewSeconds} s before the launch of instance ${instanceId}, and the clocks may differ: ${byOperator}`,
      )
    : undefined;
}

/**
 * A request that was made since the last start waits for the return to service: its kubelet has no Node, or lost its credential in that
 * start.
 */
function waitsForReturn(
  { request, node }: Case,
  { launchedAt = Number.NEGATIVE_INFINITY, rootVolumeAttachedAt = launchedAt }: InstanceFacts,
): boolean {
  const startedAt = Math.max(launchedAt, rootVolumeAttachedAt);
  return request.createdAt >= startedAt && (node === undefined || startedAt > node.createdAt);
}
