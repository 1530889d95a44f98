import { createRandom } from '@drover/cloud-sandbox/simulation';
import { hookName } from '../../../../local/names.ts';
import { hooksOf, isRunning, membersOf } from './watch.ts';
import { groupNames, groupSize, type NthWorld } from './world.ts';

/** NTH asks the API server five times a second, of seconds that are ten here: more at once would wait for it for minutes. */
const mostAtOnce = { byHandler: 2, byDrover: 3 } as const;
const everyMilliseconds = 200;

/** Lets instances leave all the time: terminated and replaced, scaled in, or taken by EC2 with a warning. */
export function startLoad(
  world: NthWorld,
  seed: number,
  { isSpared = () => false }: { readonly isSpared?: (autoScalingGroupName: string) => boolean } = {},
) {
  const random = createRandom(seed);
  const { autoScaling, ec2 } = world.cloud.account;

  const takeOne = (name: (typeof groupNames)[number]): void => {
    const members = membersOf(world, name).filter(({ InstanceId = '' }) => isRunning(world, InstanceId));
    const inService = members.filter(({ LifecycleState }) => LifecycleState === 'InService');
    const leaving = members.filter(({ LifecycleState = '' }) => LifecycleState.startsWith('Terminating'));
    const isDrovers = hooksOf(world, name).includes(hookName);
    if (leaving.length >= (isDrovers ? mostAtOnce.byDrover : mostAtOnce.byHandler)) return;
    if (inService.length < groupSize / 2 || isSpared(name)) return;
    const { InstanceId = '' } = inService[random.integer(0, inService.length - 1)] ?? {};
    // The two minutes of a warning are twelve seconds here, too few for NTH.
    if (isDrovers && name === 'spot' && random.integer(0, 3) === 0) {
      ec2.accidents.interruptSpot(InstanceId);
      return;
    }
    const ShouldDecrementDesiredCapacity = random.integer(0, 3) === 0;
    autoScaling.operations.TerminateInstanceInAutoScalingGroup({
      InstanceId,
      ShouldDecrementDesiredCapacity,
    });
    autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: name, DesiredCapacity: groupSize });
  };
  const timer = setInterval(() => {
    takeOne(groupNames[random.integer(0, groupNames.length - 1)] ?? 'blue');
  }, everyMilliseconds);
  return { stop: () => clearInterval(timer) };
}
