import type { Cloud } from '@drover/cloud-sandbox';
import { toMember } from '../../../shared/aws/auto-scaling.ts';
import { waitIn } from '../../../shared/aws/warm-pools.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import type { WarmPoolWait } from '../../../shared/groups/warm-pool.ts';
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

/** The instances of warm pools that wait on hooks. */
export const warmPoolWaits = (
  { account: { autoScaling } }: Read,
  managed: readonly AutoScalingGroup[],
): readonly WarmPoolWait[] =>
  managed
    .filter(({ hasWarmPool }) => hasWarmPool)
    .flatMap(({ autoScalingGroupName }) => {
      const AutoScalingGroupName = autoScalingGroupName;
      const pooled = allPages((NextToken) => {
        const page = autoScaling.operations.DescribeWarmPool({
          AutoScalingGroupName,
          ...(NextToken && { NextToken }),
        });
        return { items: page.Instances, nextToken: page.NextToken };
      });
      const { Activities: activities, NextToken } = autoScaling.operations.DescribeScalingActivities({
        AutoScalingGroupName,
        MaxRecords: 100,
      });
      return pooled
        .map(toMember)
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
