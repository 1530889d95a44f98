import type { Ec2Instance } from '../groups/ec2.ts';
import {
  type AutoScalingGroup,
  findTerminatingHook,
  type GroupMember,
  type LifecycleHook,
  roleOf,
} from '../groups/group.ts';
import { isWarmedPendingWait, waitsToLeave } from '../groups/lifecycle-state.ts';
import { foundWait, type HeartbeatRequest } from '../heartbeats/request.ts';
import { leftoverAfterSeconds } from '../nodes/leaving-mark.ts';
import type { LeavingNotice } from '../passes/leaving-notice.ts';

/** A Node of the cluster, as the sweep uses it. Times are epoch milliseconds. */
export interface SweptNode {
  readonly name: string;
  readonly instanceId: string;
  /** Our mark on the Node, if it leaves or has left before. */
  readonly mark?: SweptMark;
  /** A mark that names another instance, so it only has to be removed. */
  readonly strangeMark?: SweptMark;
}

interface SweptMark {
  readonly since: number;
  readonly until?: number;
  /** The instance returns with a new root volume, and the mark is removed then. */
  readonly returns?: boolean;
  /** When a pass last renewed the mark. */
  readonly renewedAt: number;
}

export interface SweepInput {
  readonly now: number;
  /** Managed groups only. */
  readonly groups: readonly AutoScalingGroup[];
  readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>;
  readonly nodes: readonly SweptNode[];
  /** The nodes could not be listed, so any wait may be without a pass. */
  readonly nodesAreUnknown?: boolean;
  /** What EC2 answers for instances of Nodes that are not in a managed group; undefined if EC2 does not know the instance. */
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
  /** The waits whose heartbeats are requested again. */
  readonly heartbeats: readonly HeartbeatRequest[];
  readonly send: readonly LeavingNotice[];
  readonly findings: readonly Finding[];
  /** More Nodes than the bound would be deleted, so none is, and an alarm is raised. */
  readonly withheld?: { readonly count: number; readonly bound: number };
}

/**
 * What the sweep has found, and the notices that it sends. The sweep itself deletes nothing: the pass of the instance reads everything
 * again and decides.
 */
export function planSweep(input: SweepInput): SweepPlan {
  const all = waitsOnOurHook(input);
  const waits = all.filter(isUnattended);
  const leftovers = leftoverMarks(input);
  const { orphans, unproven } = orphanedNodes(input);
  const bound = Math.max(3, Math.floor(input.nodes.length / 10));
  const isTooMany = orphans.length > bound;
  return {
    heartbeats: [...all.map((wait) => heartbeatsOf(input, wait)), ...heartbeatsOfUnread(input)],
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
          `neither Auto Scaling nor EC2 knows its instance ${node.instanceId}, and nothing shows that Drover managed it: it is left alone`,
        ),
      ),
      ...leftovers.map((node) =>
        finding('leftover-mark', node.name, 'it is cordoned by Drover, but its instance no longer leaves'),
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

/** A wait without a mark may be lost, or it is new and the next pass marks its Node. */
function waitFinding(
  { nodesAreUnknown }: SweepInput,
  { instanceId, hook, quietSeconds, toWarmPool }: Wait,
): Finding {
  if (toWarmPool && quietSeconds === undefined)
    return finding(
      'unmarked-wait',
      instanceId,
      'it waits on its way into the warm pool, and no pass has marked its node: its event is new or lost, or it is launched into the pool',
    );
  if (nodesAreUnknown)
    return finding(
      'unmarked-wait',
      instanceId,
      `it waits on ${hook.lifecycleHookName}, and the nodes could not be listed: a pass is started to be safe`,
    );
  return quietSeconds === undefined
    ? finding(
        'unmarked-wait',
        instanceId,
        `it waits on ${hook.lifecycleHookName}, and no pass has marked its node: its event is new or lost, or it waits for its turn, for the end of a pause, or on another hook of its group`,
      )
    : finding(
        'lost-wait',
        instanceId,
        `it waits on ${hook.lifecycleHookName}, and no pass has renewed its mark for ${Math.round(quietSeconds)} s`,
      );
}

/**
 * A notice with the destination WarmPool makes the pass check whether the instance returns to the pool or waits on a launching hook,
 * because the notice has no token.
 */
const waitingNotice = (
  input: SweepInput,
  { instanceId, autoScalingGroupName, hook, toWarmPool }: Wait,
): LeavingNotice => ({
  ...notice(input, instanceId, toWarmPool ? 'terminating' : 'swept'),
  ...(toWarmPool && { destination: 'WarmPool' }),
  hook: { autoScalingGroupName, lifecycleHookName: hook.lifecycleHookName },
  hasHeartbeats: true,
});

const heartbeatsOf = (
  { now }: SweepInput,
  { instanceId, autoScalingGroupName, hook: { lifecycleHookName, heartbeatTimeoutSeconds } }: Wait,
): HeartbeatRequest =>
  foundWait(
    { action: { instanceId, autoScalingGroupName, lifecycleHookName }, transition: 'terminating' },
    { now, heartbeatTimeoutSeconds },
  );

/**
 * The heartbeats of instances that may wait on our hook: the hooks of their group could not be read. A lost wait cannot be restored, and
 * heartbeats for an instance that another hook holds change nothing.
 */
const heartbeatsOfUnread = ({
  groups,
  hooks,
  leavingHookName,
  now,
}: SweepInput): readonly HeartbeatRequest[] =>
  groups
    .filter(({ autoScalingGroupName }) => !hooks.has(autoScalingGroupName))
    .flatMap(({ autoScalingGroupName, instances }) =>
      instances.filter(waitsToLeave).map(({ instanceId }) =>
        foundWait(
          {
            action: { instanceId, autoScalingGroupName, lifecycleHookName: leavingHookName },
            transition: 'terminating',
          },
          { now, heartbeatTimeoutSeconds: undefined },
        ),
      ),
    );

/** Members of etcd may not be nodes, and without nodes there is nothing to drain. */
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
        `it has the tags of this cluster but not the hook ${leavingHookName}: its instances are not drained`,
      ),
    );
}

/**
 * Nodes whose instance is terminated, or is unknown to EC2 although the Node has our mark. In the second case the pass waits and reads
 * it again.
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
  return input.nodes.filter(({ instanceId, mark, strangeMark }) => {
    const left = mark ?? strangeMark;
    return (
      staying.has(instanceId) &&
      left !== undefined &&
      input.now > lastUseOf(left) + leftoverAfterSeconds * 1000
    );
  });
}

const lastUseOf = ({ returns, renewedAt, until, since }: SweptMark): number =>
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

/** An instance that waits on our hook. */
interface Wait {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  readonly hook: LifecycleHook;
  /** Whether it returns to its warm pool or is launched into it. */
  readonly toWarmPool: boolean;
  /** The time since the mark was last renewed; undefined if no Node of the instance is marked. */
  readonly quietSeconds?: number;
}

/** Passes renew the mark at least every quarter of an hour. */
const longestQuietSeconds = 1800;

/**
 * Instances that wait on our hook. An instance in Warmed:Pending:Wait may instead be launched into its pool and wait on a launching hook: its pass finds out.
 */
function waitsOnOurHook(
  input: Pick<SweepInput, 'now' | 'groups' | 'hooks' | 'nodes' | 'leavingHookName'>,
): Wait[] {
  const marks = new Map(input.nodes.map((node) => [node.instanceId, node.mark]));
  return input.groups.flatMap((group) => {
    const hook = findTerminatingHook(input.hooks.get(group.autoScalingGroupName), input.leavingHookName);
    if (!hook) return [];
    return group.instances
      .filter(waitsToLeave)
      .map((member) => waitOf(group, { member, hook, now: input.now, mark: marks.get(member.instanceId) }));
  });
}

const waitOf = (
  { autoScalingGroupName }: AutoScalingGroup,
  {
    member,
    hook,
    now,
    mark,
  }: {
    readonly member: GroupMember;
    readonly hook: LifecycleHook;
    readonly now: number;
    readonly mark: SweptNode['mark'];
  },
): Wait => ({
  instanceId: member.instanceId,
  autoScalingGroupName,
  hook,
  toWarmPool: isWarmedPendingWait(member),
  ...(mark && { quietSeconds: (now - mark.renewedAt) / 1000 }),
});

/** Passes renew the mark every third of the timeout, so after half of it no pass works on the wait. */
const isUnattended = ({ hook, quietSeconds }: Wait): boolean =>
  quietSeconds === undefined ||
  quietSeconds > Math.min(longestQuietSeconds, hook.heartbeatTimeoutSeconds / 2);
