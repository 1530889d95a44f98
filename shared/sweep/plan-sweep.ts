import type { Ec2Instance } from '../groups/ec2.ts';
import { type AutoScalingGroup, findTerminatingHook, type LifecycleHook, roleOf } from '../groups/group.ts';
import { leftoverAfterSeconds } from '../nodes/leaving-mark.ts';
import type { LeavingNotice } from '../passes/leaving-notice.ts';
import { type UnattendedWait, unattendedWaits } from './unattended-waits.ts';

/** A Node of the cluster as the sweep needs it; times in epoch milliseconds. */
export interface SweptNode {
  readonly name: string;
  readonly instanceId: string;
  /** Our mark on it, if it leaves or once did. */
  readonly mark?: {
    readonly since: number;
    readonly until?: number;
    /** The instance comes back with a new root volume, and then the mark has to go. */
    readonly returns?: boolean;
    /** Last time that a pass left a trace on it. */
    readonly renewedAt: number;
  };
}

export interface SweepInput {
  readonly now: number;
  /** Managed groups only. */
  readonly groups: readonly AutoScalingGroup[];
  readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>;
  readonly nodes: readonly SweptNode[];
  /** The nodes could not be listed, so that every wait may be without a pass. */
  readonly nodesAreUnknown?: boolean;
  /** EC2's answer for the nodes' instances that are in no managed group; undefined: EC2 does not know them. */
  readonly outsideInstances: ReadonlyMap<string, Ec2Instance | undefined>;
  readonly leavingHookName: string;
}

export interface Finding {
  readonly kind:
    | 'hook-missing'
    | 'lost-wait'
    | 'unmarked-wait'
    | 'orphaned-node'
    | 'unproven-orphan'
    | 'leftover-mark';
  /** A group, an instance or a Node, by name. */
  readonly subject: string;
  readonly message: string;
}

export interface SweepPlan {
  readonly send: readonly LeavingNotice[];
  readonly findings: readonly Finding[];
  /** More Nodes than the bound would be deleted, so none is, and an alarm rings. */
  readonly withheld?: { readonly count: number; readonly bound: number };
}

/**
 * What the sweep found, and the notices that it sends. Pure. The sweep deletes nothing itself: the pass of the instance reads
 * everything again and decides.
 */
export function planSweep(input: SweepInput): SweepPlan {
  const waits = unattendedWaits(input);
  const leftovers = leftoverMarks(input);
  const { orphans, unproven } = orphanedNodes(input);
  const bound = Math.max(3, Math.floor(input.nodes.length / 10));
  const isTooMany = orphans.length > bound;
  return {
    send: [
      ...waits.map((wait) => waitingNotice(input, wait)),
      ...leftovers.map((node) => noticeFor(input, node, 'swept')),
      ...(isTooMany ? [] : orphans.map((node) => noticeFor(input, node, 'instance-gone'))),
    ],
    findings: [
      ...missingHooks(input),
      ...waits.map((wait) => waitFinding(input, wait)),
      ...orphans.map((node) =>
        finding('orphaned-node', node.name, `its instance ${node.instanceId} is gone`),
      ),
      ...unproven.map((node) =>
        finding(
          'unproven-orphan',
          node.name,
          `neither Auto Scaling nor EC2 knows its instance ${node.instanceId}, and nothing shows that it was ours: it is left alone`,
        ),
      ),
      ...leftovers.map((node) =>
        finding('leftover-mark', node.name, 'it carries our cordon, but its instance no longer leaves'),
      ),
    ],
    ...(isTooMany && { withheld: { count: orphans.length, bound } }),
  };
}

const finding = (kind: Finding['kind'], subject: string, message: string): Finding => ({
  kind,
  subject,
  message,
});

/** A wait without a mark may be lost or new: the next pass may be about to mark its Node. */
function waitFinding(
  { nodesAreUnknown }: SweepInput,
  { instanceId, hook, quietSeconds, toWarmPool }: UnattendedWait,
): Finding {
  if (toWarmPool && quietSeconds === undefined)
    return finding(
      'unmarked-wait',
      instanceId,
      `it waits on its way into the warm pool and no pass has marked a node of it: its event is new or lost, or it is launched into the pool`,
    );
  if (nodesAreUnknown)
    return finding(
      'unmarked-wait',
      instanceId,
      `it waits on ${hook.lifecycleHookName}, and the nodes could not be listed: it gets a pass to be safe`,
    );
  return quietSeconds === undefined
    ? finding(
        'unmarked-wait',
        instanceId,
        `it waits on ${hook.lifecycleHookName} and no pass has marked a node of it: its event is new or lost, or it waits for its turn, out a pause, or on another hook of its group`,
      )
    : finding(
        'lost-wait',
        instanceId,
        `it waits on ${hook.lifecycleHookName}, and no pass has renewed its mark for ${Math.round(quietSeconds)} s`,
      );
}

/**
 * A terminate action with Destination WarmPool tells the pass that the instance returns to the pool. Beside a launching hook the pass
 * checks that, since the notice has no token.
 */
const waitingNotice = (
  input: SweepInput,
  { instanceId, autoScalingGroupName, hook, toWarmPool }: UnattendedWait,
): LeavingNotice => ({
  ...notice(input, instanceId, toWarmPool ? 'terminating' : 'swept'),
  ...(toWarmPool && { destination: 'WarmPool' }),
  hook: { autoScalingGroupName, lifecycleHookName: hook.lifecycleHookName },
});

/** Members of etcd need not be nodes, and without nodes there is nothing to drain. */
const hasNodes = ({ nodes }: SweepInput, group: AutoScalingGroup): boolean =>
  nodes.some((node) => group.instances.some(({ instanceId }) => instanceId === node.instanceId));

function missingHooks(input: SweepInput): Finding[] {
  const { groups, hooks, leavingHookName } = input;
  return groups
    .filter((group) => input.hooks.has(group.autoScalingGroupName))
    .filter((group) => roleOf(group) !== 'etcd' || hasNodes(input, group))
    .filter((group) => !findTerminatingHook(hooks.get(group.autoScalingGroupName), leavingHookName))
    .map((group) =>
      finding(
        'hook-missing',
        group.autoScalingGroupName,
        `it carries our tags but not the hook ${leavingHookName}: its instances terminate undrained`,
      ),
    );
}

/**
 * Nodes whose instance EC2 calls terminated, or does not know although they have our mark. For the latter the pass waits and
 * asks again.
 */
function orphanedNodes(input: SweepInput): { readonly orphans: SweptNode[]; readonly unproven: SweptNode[] } {
  const managed = new Set(input.groups.map((group) => group.autoScalingGroupName));
  const orphans: SweptNode[] = [];
  const unproven: SweptNode[] = [];
  for (const node of input.nodes) {
    if (!input.outsideInstances.has(node.instanceId)) continue;
    const ec2 = input.outsideInstances.get(node.instanceId);
    if (ec2 !== undefined && ec2.state !== 'terminated') continue;
    const wasOurs = node.mark !== undefined || managed.has(ec2?.tags['aws:autoscaling:groupName'] ?? '');
    (wasOurs ? orphans : unproven).push(node);
  }
  return { orphans, unproven };
}

function leftoverMarks(input: SweepInput): SweptNode[] {
  const staying = new Set(
    input.groups
      .flatMap((group) => group.instances)
      .filter((member) => ['InService', 'Standby'].includes(member.lifecycleState))
      .map((member) => member.instanceId),
  );
  return input.nodes.filter(
    ({ instanceId, mark }) =>
      staying.has(instanceId) &&
      mark !== undefined &&
      input.now > lastUseOf(mark) + leftoverAfterSeconds * 1000,
  );
}

const lastUseOf = ({ returns, renewedAt, until, since }: NonNullable<SweptNode['mark']>): number =>
  returns ? renewedAt : (until ?? since);

const noticeFor = (
  input: SweepInput,
  { instanceId, name }: SweptNode,
  cause: LeavingNotice['cause'],
): LeavingNotice => ({
  ...notice(input, instanceId, cause),
  nodeName: name,
});

const notice = ({ now }: SweepInput, instanceId: string, cause: LeavingNotice['cause']): LeavingNotice => ({
  cause,
  instanceId,
  noticedAt: new Date(now).toISOString(),
});
