import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { ec2Errors } from './errors.ts';
import { findInstances, visibleInstances } from './lifecycle.ts';
import type { Ec2World, SimulatedInstance, SimulatedInterface } from './model.ts';
import type { Subnet } from './network.ts';

interface NewInterfaces {
  readonly data: RequestLaunchTemplateData;
  readonly subnet: Subnet;
  readonly primaryAddress: string;
}

/** The interfaces of a launch: the primary one, and what the launch template has beside it. */
export function launchInterfaces(world: Ec2World, { data, subnet, primaryAddress }: NewInterfaces) {
  const asked = data.NetworkInterfaces ?? [];
  const isPrimary = ({ DeviceIndex = 0 }: { readonly DeviceIndex?: number }): boolean => DeviceIndex === 0;
  const more = (count: number | undefined, of: Subnet): readonly string[] =>
    Array.from({ length: count ?? 0 }, () => world.network.takeAddress(of));
  const secondaryCount = asked.find(isPrimary)?.SecondaryPrivateIpAddressCount;
  const primary: SimulatedInterface = {
    id: newId(world),
    deviceIndex: 0,
    subnet,
    addresses: [primaryAddress, ...more(secondaryCount, subnet)],
  };
  const others = asked
    .filter((one) => !isPrimary(one))
    .map(({ DeviceIndex = 1, SubnetId, SecondaryPrivateIpAddressCount = 0 }) => {
      const place = SubnetId === undefined ? subnet : world.network.subnet(SubnetId);
      const addresses = [...more(1 + SecondaryPrivateIpAddressCount, place)];
      return { id: newId(world), deviceIndex: DeviceIndex, subnet: place, addresses };
    });
  return [primary, ...others];
}

const newId = ({ random }: Ec2World): string => `eni-0${random.hex(16)}`;

/** Another interface, as the VPC CNI attaches them, in the subnet of the instance. */
export function attachInterface(world: Ec2World, instanceId: string): string {
  const [instance] = findInstances(world, [instanceId]);
  if (instance === undefined) throw ec2Errors.instancesNotFound([instanceId]);
  const { subnet } = instance;
  const id = newId(world);
  const deviceIndex = Math.max(...instance.interfaces.map((one) => one.deviceIndex)) + 1;
  instance.interfaces.push({ id, deviceIndex, subnet, addresses: [world.network.takeAddress(subnet)] });
  announce(world, instance);
  return id;
}

export const announce = (world: Ec2World, instance: SimulatedInstance): void => {
  for (const listener of world.addressListeners) listener(instance);
};

export interface AttachedInterface {
  readonly instance: SimulatedInstance;
  readonly one: SimulatedInterface;
}

/** Interfaces go with their instance. */
export const attachedInterfaces = (world: Ec2World): readonly AttachedInterface[] =>
  visibleInstances(world)
    .filter(({ state }) => state !== 'terminated')
    .flatMap((instance) => instance.interfaces.map((one) => ({ instance, one })));

/** Throws InvalidNetworkInterfaceID.NotFound. */
export function findInterface(world: Ec2World, id: string): AttachedInterface {
  const found = attachedInterfaces(world).find(({ one }) => one.id === id);
  if (found === undefined) throw ec2Errors.interfaceNotFound(id);
  return found;
}
