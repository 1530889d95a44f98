import { membersOf } from '../../../../../local/world/drover-world.ts';
import type { Rule } from '../rule.ts';
import { onInformedGiveBack, peersOf, settledMilliseconds } from './give-back.ts';

export const givesBackEvenly: Rule = {
  name: 'gives-back-evenly',
  sentence:
    'No node is given back that leaves the zones of its group so uneven that Auto Scaling terminates one that serves.',
  onCall: onInformedGiveBack(({ instanceId, autoScalingGroupName }, view) => {
    const hasJustLeft = ({ leavingSince, leftGroupAt }: { leavingSince?: number; leftGroupAt?: number }) =>
      Math.max(leavingSince ?? 0, leftGroupAt ?? 0) > view.now - settledMilliseconds;
    if (peersOf(view, autoScalingGroupName).some(hasJustLeft)) return undefined;
    const { operations } = view.world.account.autoScaling;
    const input = { AutoScalingGroupNames: [autoScalingGroupName] };
    const zones = operations.DescribeAutoScalingGroups(input).AutoScalingGroups[0]?.AvailabilityZones ?? [];
    const serving = membersOf(view.world, autoScalingGroupName).filter(
      ({ LifecycleState }) => LifecycleState === 'InService',
    );
    const spread = (members: typeof serving): number => {
      const sizes = zones.map(
        (zone) => members.filter(({ AvailabilityZone }) => AvailabilityZone === zone).length,
      );
      return Math.max(...sizes) - Math.min(...sizes);
    };
    const after = spread(serving.filter(({ InstanceId }) => InstanceId !== instanceId));
    return after > Math.max(1, spread(serving))
      ? `and the zones differ by ${after} instances then`
      : undefined;
  }),
};
