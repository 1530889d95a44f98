import type { Activity, AutoScalingGroup as GroupAnswer } from '@aws-sdk/client-auto-scaling';
import type { Cloud } from '@drover/cloud-sandbox';
import { failedLaunchIn, launchesIn } from '../../../../shared/aws/activities.ts';
import { toGroup } from '../../../../shared/aws/auto-scaling.ts';
import { byInstance } from '../../../../shared/capacity/observed-nodes.ts';
import { measuredLeadSeconds } from '../../../../shared/capacity/schedules/measured-lead.ts';
import { isManaged, roleOf } from '../../../../shared/groups/group.ts';
import { capacityView } from '../../../../ui/server/views/capacity.ts';
import { scheduleProblems } from '../../../../ui/server/views/schedule-problems.ts';
import type { CapacityView } from '../../../../ui/state/types.ts';
import { groupHolds } from './hold-texts.ts';
import { scheduleReadings } from './schedules.ts';

/** The page of activities that a measured lead counts. */
const MaxRecords = 100;

export interface CapacityViews {
  readonly ofGroups: ReadonlyMap<string, CapacityView>;
  readonly problems: readonly string[];
}

/** Floors, holds and schedules of every group that they can concern. */
export function capacityViews(
  { account, kubernetes, lambda }: Pick<Cloud, 'account' | 'kubernetes' | 'lambda'>,
  {
    groups,
    clusterName,
    now,
  }: { readonly groups: readonly GroupAnswer[]; readonly clusterName: string; readonly now: number },
): CapacityViews {
  const holds = groupHolds(account.ssm, clusterName);
  const readings = scheduleReadings(account.scheduler, clusterName);
  const schedules = readings.flatMap((reading) => (reading.kind === 'schedule' ? [reading.schedule] : []));
  const nodes = { status: 'seen', byInstance: byInstance(kubernetes.store.of('nodes').list()) } as const;
  const maxSizeLimit = Number(lambda.functionOf('prewarm').environment.DROVER_MAX_SIZE_LIMIT);
  const managed = groups
    .map((group) => toGroup(group, {}))
    .filter((group) => isManaged(group, clusterName) && roleOf(group) !== 'etcd');
  return {
    ofGroups: new Map(
      managed.map((group) => {
        const { autoScalingGroupName } = group;
        const activities = activitiesOf(account, autoScalingGroupName);
        const { holds: own = [], record = { kind: 'none' } } = holds.get(autoScalingGroupName) ?? {};
        const view = capacityView({
          group,
          nodes,
          holds: own,
          record,
          schedules: schedules.filter((schedule) => schedule.autoScalingGroupName === autoScalingGroupName),
          failedLaunch: failedLaunchIn(activities),
          measuredLeadSeconds: measuredLeadSeconds(launchesIn(activities)),
          maxSizeLimit,
          now,
        });
        return [autoScalingGroupName, view];
      }),
    ),
    problems: scheduleProblems(readings, { groups: managed, now }),
  };
}

const activitiesOf = ({ autoScaling }: Cloud['account'], AutoScalingGroupName: string): readonly Activity[] =>
  autoScaling.operations.DescribeScalingActivities({ AutoScalingGroupName, MaxRecords }).Activities ?? [];
