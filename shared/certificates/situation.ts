import type { Requester } from './certificate-request.ts';
import type { CertificateSettings, InstanceFacts, NodeFacts } from './facts.ts';
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

interface SituationInput {
  /** Every instance of that name. */
  readonly instances: readonly InstanceFacts[];
  readonly node: NodeFacts | undefined;
  readonly settings: Pick<CertificateSettings, 'vpcId'>;
}

const isGone = (state: InstanceFacts['state'] | undefined): boolean =>
  state === undefined || state === 'terminated' || state === 'shutting-down';

/** The instances that the request may mean: neither gone nor in another VPC than the pinned one. */
export const livingInstances = ({
  instances,
  settings: { vpcId },
}: Omit<SituationInput, 'node'>): readonly InstanceFacts[] =>
  instances.filter((instance) => !isGone(instance.state) && (vpcId === '' || instance.vpcId === vpcId));

/** The row of the table for a name. */
export function situationOf({ instances, node, settings }: SituationInput): Situation {
  const { vpcId } = settings;
  const living = livingInstances({ instances, settings });
  const [instance] = living;
  if (instance === undefined)
    return { kind: 'no-instance', reason: `no instance${vpcId && ` of ${vpcId}`} has this name` };
  if (living.length > 1)
    return {
      kind: 'several-instances',
      reason: `${living.length} instances have this name: ${idsOf(living)}`,
    };
  const since = Math.max(...joinTimes(instance));
  return { ...ofInstance(instance, node, since), instance, since };
}

const idsOf = (instances: readonly InstanceFacts[]): string =>
  instances.map(({ instanceId }) => instanceId).join(', ');

const joinTimes = ({ launchedAt, rootVolumeAttachedAt, returnedAt }: InstanceFacts): readonly number[] => [
  launchedAt ?? -Infinity,
  rootVolumeAttachedAt ?? -Infinity,
  returnedAt ?? -Infinity,
];

type InstanceSituation = Pick<Extract<Situation, { instance: InstanceFacts }>, 'kind' | 'reason'>;

function ofInstance(instance: InstanceFacts, node: NodeFacts | undefined, since: number): InstanceSituation {
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
  return ofNode(instance, node, since);
}

const joining = ['Pending', 'Pending:Wait', 'Pending:Proceed', 'InService', 'RootVolumeReplaced'];

function ofNode(
  { instanceId }: InstanceFacts,
  node: NodeFacts | undefined,
  since: number,
): InstanceSituation {
  if (node === undefined) return { kind: 'no-node', reason: `instance ${instanceId} has no Node yet` };
  if (node.instanceId === undefined)
    return { kind: 'node-without-instance', reason: 'the Node of this name has no providerID' };
  if (node.instanceId !== instanceId)
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
  'several-instances': { token: 'later', instance: 'deny', node: 'deny' },
};

/** EC2 and the API server have two clocks. */
const clockSkewSeconds = 60;
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
      return one.now - one.request.createdAt < settleSeconds * 1000
        ? later(`${reason}, and EC2 may not know it yet`)
        : deny(reason);
    case 'foreign':
      return notOurs(reason);
    case 'conflict':
      return conflict(
        `${reason}, so another key has its certificate: ${byOperator}, or replace the instance`,
      );
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
    default:
      return requester.kind === 'token' ? byOperator : 'it is checked again';
  }
}

function windowCheck({ request, situation, settings, now }: Case): CheckAnswer {
  if (!('since' in situation)) return undefined;
  const afterSeconds = (request.createdAt - situation.since) / 1000;
  const { instanceId } = situation.instance;
  if (afterSeconds < -clockSkewSeconds) return deny(`it was made before instance ${instanceId} was launched`);
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
