import type { Cloud } from '@drover/cloud-sandbox';
import { toMember } from '../../../shared/aws/auto-scaling.ts';
import { waitIn } from '../../../shared/aws/warm-pools.ts';
import { approvalsIn } from '../../../shared/certificates/other-approvers.ts';
import type { AutoScalingGroup, GroupMember } from '../../../shared/groups/group.ts';
import type { WarmPoolWait } from '../../../shared/groups/warm-pool.ts';
import {
  holdersIn,
  type ObservedApprovals,
  outsideGroups,
} from '../../../shared/problems/approver-problems.ts';
import type { HeldCapacity } from '../../../shared/problems/capacity-problems.ts';
import type { PublishedCredential } from '../../../shared/problems/credential-problems.ts';
import { lateCandidates, type ObservedLaunches } from '../../../shared/problems/node-problems.ts';
import type { ClusterNodes } from '../../../shared/problems/observation.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { clusterName } from '../../names.ts';
import { allPages } from './all-pages.ts';
import { groupHolds } from './capacity/hold-texts.ts';
import { scheduleReadings } from './capacity/schedules.ts';
import { credentialView } from './credential.ts';

type Read = Pick<Cloud, 'account' | 'lambda'>;

/** When the instances were launched that may be late. */
export function observedLaunches(
  { account, lambda }: Read,
  managed: readonly AutoScalingGroup[],
  nodes: ClusterNodes,
): ObservedLaunches {
  const late = managed.flatMap((group) => lateCandidates(group, nodes));
  return {
    ...readConfig(lambda.functionOf('node-joining').environment, ['joinTimeoutSeconds']),
    launchedAt: new Map(
      late.flatMap(({ instanceId }) => {
        const machine = account.ec2.instances.find(instanceId);
        return machine ? [[instanceId, machine.launchedAt]] : [];
      }),
    ),
  };
}

/** The members of a group's warm pool; none without one. */
function poolMembers(
  { account: { autoScaling } }: Pick<Cloud, 'account'>,
  { autoScalingGroupName: AutoScalingGroupName, hasWarmPool }: AutoScalingGroup,
): readonly GroupMember[] {
  if (!hasWarmPool) return [];
  return allPages((NextToken) => {
    const page = autoScaling.operations.DescribeWarmPool({
      AutoScalingGroupName,
      ...(NextToken && { NextToken }),
    });
    return { items: page.Instances, nextToken: page.NextToken };
  }).map(toMember);
}

/** The instances of warm pools that wait on hooks. */
export const warmPoolWaits = (read: Read, managed: readonly AutoScalingGroup[]): readonly WarmPoolWait[] =>
  managed
    .filter(({ hasWarmPool }) => hasWarmPool)
    .flatMap((group) => {
      const { autoScalingGroupName } = group;
      const { Activities: activities, NextToken } =
        read.account.autoScaling.operations.DescribeScalingActivities({
          AutoScalingGroupName: autoScalingGroupName,
          MaxRecords: 100,
        });
      return poolMembers(read, group)
        .filter(({ lifecycleState }) => lifecycleState.endsWith(':Wait'))
        .map(({ instanceId, lifecycleState }) => ({
          ...waitIn({ activities, hasOlder: NextToken !== undefined }, instanceId),
          instanceId,
          autoScalingGroupName,
          lifecycleState,
        }));
    });

/** Holds, records of floors and schedules. */
export const heldCapacity = ({ account, lambda }: Read): HeldCapacity => ({
  holds: groupHolds(account.ssm, clusterName),
  schedules: scheduleReadings(account.scheduler, clusterName),
  ...readConfig(lambda.functionOf('prewarm').environment, ['maxSizeLimit']),
});

/** The credential of new workers, if one is published. */
export function publishedCredentials(cloud: Read): readonly PublishedCredential[] {
  const credential = credentialView(cloud);
  const { bootstrapRotationSeconds: rotationSeconds } = readConfig(
    cloud.lambda.functionOf('bootstrap-credential').environment,
    ['bootstrapRotationSeconds'],
  );
  return credential
    ? [{ role: 'worker', ...credential, publishedAt: credential.publishedAt, rotationSeconds }]
    : [];
}

/** The Nodes outside managed groups, and who approves their certificates. */
export function observedApprovals(
  cloud: Pick<Cloud, 'account' | 'kubernetes'>,
  managed: readonly AutoScalingGroup[],
  now: number,
): ObservedApprovals {
  const { store } = cloud.kubernetes;
  const groups = managed.map((group) => ({
    ...group,
    instances: [...group.instances, ...poolMembers(cloud, group)],
  }));
  return {
    outside: outsideGroups(holdersIn(store.of('nodes').list()), groups, now),
    approvals: approvalsIn(
      store.of('clusterroles.rbac.authorization.k8s.io').list(),
      store.of('clusterrolebindings.rbac.authorization.k8s.io').list(),
    ),
  };
}
