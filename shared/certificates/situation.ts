import type { CertificateSettings, InstanceFacts, NodeFacts } from './facts.ts';

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
      /** The beginning of the window: the launch, or the last event that makes a node join anew. */
      readonly since: number;
    };

export interface SituationInput {
  /** Every instance of that name. */
  readonly instances: readonly InstanceFacts[];
  readonly node: NodeFacts | undefined;
  readonly settings: Pick<CertificateSettings, 'vpcId'>;
}

const isGone = (state: InstanceFacts['state'] | undefined): boolean =>
  state === undefined || state === 'terminated' || state === 'shutting-down';

/** Those that may be meant: neither gone nor of another VPC than the pinned one. */
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
