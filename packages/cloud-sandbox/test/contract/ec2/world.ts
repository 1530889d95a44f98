import {
  DescribeInstancesCommand,
  type DescribeInstancesCommandInput,
  DescribeSubnetsCommand,
  type EC2Client,
  type Instance,
  RunInstancesCommand,
  type RunInstancesCommandInput,
} from '@aws-sdk/client-ec2';

/** One EC2, simulated or not, by the client of the SDK. */
export interface Ec2World {
  readonly client: EC2Client;
  /** An image that can be launched. */
  readonly imageId: string;
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

/** One instance, running, with a tag of its own. */
export async function launch(world: Ec2World, settings: Partial<RunInstancesCommandInput> = {}) {
  const { Instances = [] } = await world.client.send(
    new RunInstancesCommand({
      MinCount: 1,
      MaxCount: 1,
      InstanceType: 'm5.large',
      ImageId: world.imageId,
      ...settings,
    }),
  );
  const ids = Instances.map(({ InstanceId = '' }) => InstanceId);
  for (let second = 0; second < 60 && !(await allRun(world, ids)); second += 1) await world.pass(1);
  return { ids, id: ids[0] ?? '' };
}

const allRun = async (world: Ec2World, InstanceIds: string[]): Promise<boolean> =>
  (await instancesOf(world, { InstanceIds })).every(({ State }) => State?.Name === 'running');

/** What an instance is launched with to carry this tag. */
export const tagged = (Key: string, Value: string) => ({
  TagSpecifications: [{ ResourceType: 'instance' as const, Tags: [{ Key, Value }] }],
});

/** The instances of one answer. */
export async function instancesOf(
  world: Ec2World,
  input: DescribeInstancesCommandInput,
): Promise<Instance[]> {
  const { Reservations = [] } = await world.client.send(new DescribeInstancesCommand(input));
  return Reservations.flatMap(({ Instances = [] }) => Instances);
}

/** One instance by its id. */
export async function instanceOf(world: Ec2World, id: string): Promise<Instance> {
  const [instance] = await instancesOf(world, { InstanceIds: [id] });
  if (!instance) throw new Error(`${id} was not found`);
  return instance;
}

/** A subnet of the account, and its zone. */
export async function anySubnet({ client }: Ec2World) {
  const { Subnets = [] } = await client.send(new DescribeSubnetsCommand({}));
  return Subnets.at(-1);
}

/** In order: where the answer promises none. */
export const idsIn = (instances: readonly Instance[]): string[] =>
  inOrder(instances.map(({ InstanceId = '' }) => InstanceId));

export const inOrder = (values: readonly string[]): string[] =>
  values.toSorted((one, other) => (one < other ? -1 : 1));
