import { type DroverWorld, membersOf } from '../../../local/world/drover-world.ts';
import type { Scene } from './live-history.ts';
import type { Step } from './plan/history.ts';

const otherVpcs = new WeakMap<DroverWorld, ReturnType<typeof addOtherVpc>>();
const addOtherVpc = ({ account }: DroverWorld) => account.ec2.instances.addVpc();

/** Runs an instance outside all groups, in a VPC with the same addresses, under the private DNS name of a member of the group. */
export function launchNamesake(
  { world, record }: Scene,
  { autoScalingGroupName, which, seconds }: Extract<Step, { readonly kind: 'namesake' }>,
): void {
  const { instances } = world.account.ec2;
  const members = membersOf(world, autoScalingGroupName).toSorted((one, other) =>
    (one.InstanceId ?? '').localeCompare(other.InstanceId ?? ''),
  );
  const member = instances.find(members[Math.floor(which * members.length)]?.InstanceId ?? '');
  if (member === undefined) return;
  const vpc = otherVpcs.get(world) ?? addOtherVpc(world);
  otherVpcs.set(world, vpc);
  const subnet = vpc.subnets.find(
    ({ availabilityZone }) => availabilityZone === member.subnet.availabilityZone,
  );
  const namesake = instances.launch({
    subnetId: subnet?.subnetId,
    privateIpAddress: member.privateIpAddress,
    tags: new Map(),
  });
  record(`HISTORY ${namesake.instanceId} has the name of ${member.instanceId}: ${namesake.privateDnsName}`);
  world.clock.after(seconds * 1000, () => instances.terminate(namesake));
}
