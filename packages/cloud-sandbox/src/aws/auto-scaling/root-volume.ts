import type { StartInstanceRefreshType } from '@aws-sdk/client-auto-scaling';
import { mayTerminate, terminateMember } from './departures.ts';
import { autoScalingErrors } from './errors.ts';
import { waitForHooks } from './lifecycle-actions.ts';
import { drainTargets } from './load-balancing.ts';
import { enterState } from './members.ts';
import type { Group, Member } from './model.ts';
import { passages } from './passages.ts';
import { instanceRuns } from './transitions.ts';
import type { AutoScalingWorld } from './world.ts';

const leaves = passages.replaceRootVolume;

/**
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/replace-root-volume.html: through the terminating hooks, a new root volume,
 * and through the launching hooks back into service. AWS does not say what ABANDON does on the way out; here, as for a termination,
 * it ends the other hooks and the replacement goes on. Nor does it say when targets are deregistered: here, before the hooks.
 */
export function replaceRootVolume(world: AutoScalingWorld, member: Member, replaced: () => void): void {
  member.passage = leaves;
  enterState(world, member, leaves.start);
  drainTargets(world, member, () => {
    if (isIn(member, leaves.start))
      waitForHooks(world, member, { passage: leaves, settled: () => proceed(world, member, replaced) });
  });
}

function proceed(world: AutoScalingWorld, member: Member, replaced: () => void): void {
  enterState(world, member, leaves.proceed);
  world.clock.after(world.timings.stepSeconds * 1000, () => {
    if (!isIn(member, leaves.proceed)) return;
    const instance = world.ec2.instances.find(member.instanceId);
    if (instance?.state !== 'running') {
      fail(world, member);
      return;
    }
    world.ec2.instances.replaceRootVolume(instance);
    enterState(world, member, 'RootVolumeReplaced');
    world.clock.after(world.timings.healthCheckSeconds * 1000, () => {
      if (isIn(member, 'RootVolumeReplaced')) comeBack(world, member, replaced);
    });
  });
}

function comeBack(world: AutoScalingWorld, member: Member, replaced: () => void): void {
  replaced();
  member.passage = passages.returnWithRootVolume;
  enterState(world, member, passages.returnWithRootVolume.start);
  instanceRuns(world, member);
}

/** "Auto Scaling marks that instance for termination and replaces it with a new instance." */
function fail(world: AutoScalingWorld, member: Member): void {
  if (mayTerminate(member))
    terminateMember(world, member, { cause: 'The root volume of the instance could not be replaced.' });
}

const isIn = (member: Member, state: Member['state']): boolean =>
  member.state === state && member.group.members.get(member.instanceId) === member;

/** The requirements and limitations of that page, as far as this simulation knows images. */
export function requireReplaceableRootVolumes(group: Group, input: StartInstanceRefreshType): void {
  const template = input.DesiredConfiguration?.MixedInstancesPolicy?.LaunchTemplate;
  const overrides = template?.Overrides ?? [];
  if (overrides.length === 0 || overrides.some(({ ImageId }) => ImageId === undefined))
    refuse('needs a desired configuration with a mixed instances policy, and an ImageId in each override');
  const version = template?.LaunchTemplateSpecification?.Version;
  if (version === undefined || version.startsWith('$'))
    refuse('needs a launch template version that is a number');
  if (group.warmPool !== undefined) refuse('is not possible for a group with a warm pool');
  const types = new Set(overrides.map(({ InstanceType }) => InstanceType));
  if ([...group.members.values()].some(({ instanceType }) => !types.has(instanceType)))
    refuse('needs the type of each instance among the overrides');
}

function refuse(why: string): never {
  throw autoScalingErrors.validation(`The ReplaceRootVolume strategy ${why}.`);
}
