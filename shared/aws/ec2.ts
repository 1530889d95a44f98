import {
  DescribeInstancesCommand,
  type EC2Client,
  GetConsoleOutputCommand,
  type Instance,
} from '@aws-sdk/client-ec2';
import { batched } from '../base/batched.ts';
import type { Ec2, Ec2Instance } from '../groups/ec2.ts';
import { hasCode, isInstanceNotFound, required } from './errors.ts';

const idsPerCall = 100;

/** EC2 over its API. Never asks with an empty list: that would return the whole region. */
export function createEc2(client: EC2Client): Ec2 {
  return { describeInstance: batched({ limit: idsPerCall, load: (ids) => describe(client, ids) }) };
}

/** One unknown id fails the whole call, so then each half is asked for by itself until the unknown ones stand alone. */
async function describe(client: EC2Client, ids: readonly string[]): Promise<Map<string, Ec2Instance>> {
  try {
    const { Reservations, $metadata } = await client.send(
      new DescribeInstancesCommand({ InstanceIds: [...ids] }),
    );
    const instances = required(Reservations, { name: 'Reservations', $metadata }).flatMap((reservation) =>
      required(reservation.Instances, { name: 'Instances', $metadata }),
    );
    return new Map(instances.map((instance) => [instance.InstanceId ?? '', toInstance(instance)]));
  } catch (error) {
    if (!isInstanceNotFound(error)) throw error;
    if (ids.length === 1) return new Map();
    const middle = Math.ceil(ids.length / 2);
    const halves = await Promise.all([
      describe(client, ids.slice(0, middle)),
      describe(client, ids.slice(middle)),
    ]);
    return new Map(halves.flatMap((half) => [...half]));
  }
}

const states = ['pending', 'running', 'shutting-down', 'stopped', 'stopping', 'terminated'] as const;

/** A state that EC2 may add some day says nothing yet, as `pending` does. */
export const toState = ({ State }: Instance): Ec2Instance['state'] =>
  states.find((state) => state === State?.Name) ?? 'pending';

/** EC2 sends no tags for an instance that has none. */
const toInstance = (instance: Instance): Ec2Instance => ({
  instanceId: instance.InstanceId ?? '',
  state: toState(instance),
  privateDnsName: instance.PrivateDnsName || undefined,
  privateIpAddress: instance.PrivateIpAddress,
  ipv6Address: instance.Ipv6Address,
  availabilityZone: instance.Placement?.AvailabilityZone,
  instanceType: instance.InstanceType,
  spot: instance.InstanceLifecycle === 'spot',
  launchedAt: instance.LaunchTime?.getTime(),
  tags: Object.fromEntries((instance.Tags ?? []).map(({ Key, Value }) => [Key ?? '', Value ?? ''])),
});

/**
 * What an instance has written to its serial console, at most 64 KB. Empty until EC2 has it. Only Nitro instances have the latest output;
 * of others EC2 keeps what stood there minutes after the last boot.
 */
export async function readConsoleOutput(client: EC2Client, instanceId: string): Promise<string> {
  const ask = async (Latest: boolean) =>
    await client.send(new GetConsoleOutputCommand({ InstanceId: instanceId, ...(Latest && { Latest }) }));
  const { Output = '' } = await ask(true).catch((error: unknown) => {
    if (hasCode(error, 'UnsupportedOperation')) return ask(false);
    throw error;
  });
  return Buffer.from(Output, 'base64').toString('utf8');
}
