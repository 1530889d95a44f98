import { batched } from '../base/batched.ts';
import type { Ec2 } from '../lifecycle/ec2.ts';
import type { Ec2Instance } from '../lifecycle/group.ts';
import type { Ec2Api, instanceShape } from './api/ec2-api.ts';
import type { ValueOf } from './api/shape.ts';
import { isInstanceNotFound } from './errors.ts';

const idsPerCall = 100;

/** EC2 over its API. Never asks with an empty list: that would return the whole region. */
export function createEc2(api: Ec2Api): Ec2 {
  return { describeInstance: batched({ limit: idsPerCall, load: (ids) => describe(api, ids) }) };
}

/** One unknown id fails the whole call, so then each half is asked for by itself until the unknown ones stand alone. */
async function describe(api: Ec2Api, ids: readonly string[]): Promise<Map<string, Ec2Instance>> {
  try {
    const answer = await api.call('DescribeInstances', { InstanceId: ids });
    const instances = answer.reservationSet.flatMap((reservation) => reservation.instancesSet);
    return new Map(instances.map((instance) => [instance.instanceId ?? '', toInstance(instance)]));
  } catch (error) {
    if (!isInstanceNotFound(error)) throw error;
    if (ids.length === 1) return new Map();
    const middle = Math.ceil(ids.length / 2);
    const halves = await Promise.all([describe(api, ids.slice(0, middle)), describe(api, ids.slice(middle))]);
    return new Map(halves.flatMap((half) => [...half]));
  }
}

const states = ['pending', 'running', 'shutting-down', 'stopped', 'stopping', 'terminated'] as const;

const toInstance = (instance: ValueOf<typeof instanceShape>): Ec2Instance => ({
  instanceId: instance.instanceId ?? '',
  state: states.find((state) => state === instance.instanceState?.name) ?? 'pending',
  privateDnsName: instance.privateDnsName || undefined,
  privateIpAddress: instance.privateIpAddress,
  ipv6Address: instance.ipv6Address,
  availabilityZone: instance.placement?.availabilityZone,
  spot: instance.instanceLifecycle === 'spot',
  tags: Object.fromEntries(instance.tagSet.map(({ key, value }) => [key ?? '', value ?? ''])),
});
