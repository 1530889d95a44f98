import { durationText } from '../base/duration.ts';
import { type AutoScalingGroup, type GroupMember, roleOf } from '../groups/group.ts';
import { readSettings } from '../groups/group-settings.ts';
import { isInService, isPendingWait } from '../groups/lifecycle-state.ts';
import { type JoiningSettings, joiningTags } from '../joining/settings.ts';
import { pauseOf } from '../passes/pause.ts';
import type { ClusterNodes } from './observation.ts';
import type { FoundProblem } from './problem.ts';

/** The threshold of the alarm `join-overdue`. */
const overdueSeconds = 300;

/** When instances were launched, and how long a join may take. */
export interface ObservedLaunches {
  /** Epoch milliseconds by instance: of those that join, or that no Node names. One that is missing was not asked for, or EC2 does not know it. */
  readonly launchedAt: ReadonlyMap<string, number>;
  /** The setting of the deployment. A tag of the group takes precedence. */
  readonly joinTimeoutSeconds: number;
}

interface Looked {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Undefined if the Nodes could not be read. */
  readonly nodes: ClusterNodes | undefined;
  /** When the Nodes were read (epoch milliseconds), if that is not now. */
  readonly nodesAt?: number | undefined;
  /** Undefined if EC2 could not be read. */
  readonly launches: ObservedLaunches | undefined;
}

/**
 * The instances whose launch time decides whether they are late: they wait to join, or are in service and no Node names them. One with a
 * mark returns with a new root volume, long after its launch. Pure.
 */
export const lateCandidates = (
  group: AutoScalingGroup,
  nodes: ClusterNodes | undefined,
): readonly GroupMember[] => {
  if (roleOf(group) === 'etcd' || pauseOf(group.tags) !== undefined) return [];
  const marked = new Set(nodes?.marked.map(({ mark }) => mark.instanceId));
  return group.instances.filter((member) =>
    isPendingWait(member) ? !marked.has(member.instanceId) : lacksNode(member, nodes),
  );
};

const lacksNode = (member: GroupMember, nodes: ClusterNodes | undefined): boolean =>
  isInService(member) && nodes !== undefined && !nodes.instanceIds.has(member.instanceId);

/** Instances of a managed group that should be nodes by now: they join for too long, or are in service without a Node. Pure. */
export function nodeProblems(group: AutoScalingGroup, looked: Looked): readonly FoundProblem[] {
  const { at, launches, nodes, nodesAt } = looked;
  if (launches === undefined) return [];
  const defaults = { joinTimeoutSeconds: launches.joinTimeoutSeconds, onJoinFailure: 'hold' } as const;
  const { joinTimeoutSeconds } = readSettings<JoiningSettings>(joiningTags, {
    tags: group.tags,
    defaults,
  }).settings;
  return lateCandidates(group, nodes).flatMap((member) => {
    const launchedAt = launches.launchedAt.get(member.instanceId);
    // EC2 may not know a new instance yet. Auto Scaling itself replaces one that EC2 does not know any more.
    if (launchedAt === undefined) return [];
    // An older list of Nodes says nothing about an instance that was too new then.
    const judgedAt = isPendingWait(member) ? at : Math.min(at, nodesAt ?? at);
    if ((judgedAt - launchedAt) / 1000 <= joinTimeoutSeconds + overdueSeconds) return [];
    const since = new Date(launchedAt).toISOString();
    const command = `aws ec2 get-console-output --latest --output text --instance-id ${member.instanceId}`;
    const problem = { subject: member.instanceId, since, command };
    const ago = `launched ${durationText(Math.floor((at - launchedAt) / 1000))} ago`;
    return [
      isPendingWait(member)
        ? {
            ...problem,
            kind: 'join-overdue',
            message: `this instance of group ${group.autoScalingGroupName}, ${ago}, has not joined, and should have within ${durationText(joinTimeoutSeconds)}`,
          }
        : {
            ...problem,
            kind: 'no-node',
            message: `this instance of group ${group.autoScalingGroupName}, ${ago}, is in service, and no Node names it in its providerID: it serves nothing, or terminates undrained`,
          },
    ] as const;
  });
}
