import {
  DescribeInstancesCommand,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';
import { ec2LaunchTemplateCases } from './launch-template-cases.ts';
import { ec2TagCases } from './tag-cases.ts';
import { ec2TypeCases } from './type-cases.ts';
import {
  anySubnet,
  type Ec2World,
  idsIn,
  inOrder,
  instanceOf,
  instancesOf,
  launch,
  tagged,
} from './world.ts';

const named = (name: string) => ({ name });
const unknownIds = ['i-0123456789abcdef0', 'i-0123456789abcdef1'];

/** Two instances of one tag, a large one and an extra large one, beside another. */
async function openPair(world: Ec2World) {
  const value = newName();
  const one = await launch(world, tagged('group', value));
  const two = await launch(world, { ...tagged('group', value), InstanceType: 'm5.xlarge' });
  await launch(world, tagged('group', `${value}-other`));
  const by = async (...Filters: { Name: string; Values: string[] }[]) =>
    idsIn(await instancesOf(world, { Filters: [{ Name: 'tag:group', Values: [value] }, ...Filters] }));
  return { one: one.id, two: two.id, by };
}

/** Instances: the API reference of EC2, DescribeInstances first of all. */
const ec2InstanceCases: Cases<Ec2World> = {
  'an instance shows its placement, its type and its image': async (world) => {
    const subnet = await anySubnet(world);
    const { id } = await launch(world, { SubnetId: subnet?.SubnetId });
    const instance = await instanceOf(world, id);
    expect(id).toMatch(/^i-[0-9a-f]{17}$/);
    expect(instance).toMatchObject({
      InstanceType: 'm5.large',
      ImageId: world.imageId,
      State: { Code: 16, Name: 'running' },
      SubnetId: subnet?.SubnetId,
      VpcId: subnet?.VpcId,
      Placement: { AvailabilityZone: subnet?.AvailabilityZone },
    });
    expect(instance.LaunchTime).toBeInstanceOf(Date);
  },
  // EC2 user guide, "EC2 instance hostnames and domains": IP name.
  'the private DNS name of an instance contains its address': async (world) => {
    const { PrivateIpAddress = '', PrivateDnsName } = await instanceOf(world, (await launch(world)).id);
    const host = `ip-${PrivateIpAddress.replaceAll('.', '-')}`;
    expect([`${host}.ec2.internal`, `${host}.eu-west-1.compute.internal`]).toContain(PrivateDnsName);
  },
  'unknown instance ids are named, and fail the whole call': async (world) => {
    const { id } = await launch(world);
    const ask = (InstanceIds: string[]) => instancesOf(world, { InstanceIds });
    const missing = named('InvalidInstanceID.NotFound');
    await expect(ask([unknownIds[0] ?? ''])).rejects.toMatchObject(missing);
    await expect(ask([id, ...unknownIds])).rejects.toMatchObject(missing);
  },
  'all unknown instance ids are named in one error': async (world) => {
    await expect(instancesOf(world, { InstanceIds: unknownIds })).rejects.toThrow(unknownIds.join(', '));
  },
  'an instance id with a wrong format is malformed': async (world) => {
    for (const id of ['i-xyz', 'instance', 'i-0123'])
      await expect(instancesOf(world, { InstanceIds: [id] }), id).rejects.toMatchObject(
        named('InvalidInstanceID.Malformed'),
      );
  },
  'instances are listed in pages, each instance once': async (world) => {
    const value = newName();
    const launched: string[] = [];
    for (let index = 0; index < 6; index += 1)
      launched.push((await launch(world, tagged('group', value))).id);
    const Filters = [{ Name: 'tag:group', Values: [value] }];
    const found: string[] = [];
    let NextToken: string | undefined;
    do {
      const input = { Filters, MaxResults: 5, NextToken };
      const page = await world.client.send(new DescribeInstancesCommand(input));
      const instances = (page.Reservations ?? []).flatMap(({ Instances = [] }) => Instances);
      expect(instances.length).toBeLessThanOrEqual(5);
      found.push(...idsIn(instances));
      NextToken = page.NextToken;
    } while (NextToken);
    expect(inOrder(found)).toEqual(inOrder(launched));
  },
  'a page size together with ids is refused': async (world) => {
    const { id } = await launch(world);
    await expect(instancesOf(world, { InstanceIds: [id], MaxResults: 5 })).rejects.toMatchObject(
      named('InvalidParameterCombination'),
    );
  },
  // DescribeInstances, MaxResults.
  'a page has 5 to 1,000 instances': async (world) => {
    for (const MaxResults of [4, 1001])
      await expect(instancesOf(world, { MaxResults })).rejects.toMatchObject(named('InvalidParameterValue'));
  },
  'all filters must match, and the values of a filter are alternatives': async (world) => {
    const { one, two, by } = await openPair(world);
    expect(await by()).toEqual(inOrder([one, two]));
    expect(await by({ Name: 'instance-type', Values: ['m5.xlarge'] })).toEqual([two]);
    expect(await by({ Name: 'instance-type', Values: ['m5.large', 'm5.xlarge'] })).toEqual(
      inOrder([one, two]),
    );
    expect(await by({ Name: 'instance-state-name', Values: ['stopped'] })).toEqual([]);
  },
  // EC2 user guide, "Filtering using wildcards".
  'a filter value can contain the wildcards * and ?': async (world) => {
    const { one, two, by } = await openPair(world);
    expect(await by({ Name: 'instance-type', Values: ['m5.*'] })).toEqual(inOrder([one, two]));
    expect(await by({ Name: 'instance-type', Values: ['m5.?arge'] })).toEqual([one]);
  },
  'instances can be filtered by address, name, subnet and tag key': async (world) => {
    const key = newName();
    const { id } = await launch(world, tagged(key, 'x'));
    const instance = await instanceOf(world, id);
    const ofKey = { Name: 'tag-key', Values: [key] };
    for (const [Name, value] of [
      ['tag-key', key],
      ['private-ip-address', instance.PrivateIpAddress],
      ['private-dns-name', instance.PrivateDnsName],
      ['subnet-id', instance.SubnetId],
      ['vpc-id', instance.VpcId],
      ['availability-zone', instance.Placement?.AvailabilityZone],
      ['instance-id', id],
      ['image-id', instance.ImageId],
    ] as const)
      expect(
        idsIn(await instancesOf(world, { Filters: [ofKey, { Name, Values: [value ?? ''] }] })),
        Name,
      ).toEqual([id]);
  },
  'an unknown filter is refused': async (world) => {
    await expect(
      instancesOf(world, { Filters: [{ Name: 'colour', Values: ['red'] }] }),
    ).rejects.toMatchObject(named('InvalidParameterValue'));
  },
  'a Spot instance shows its lifecycle': async (world) => {
    const spot = await launch(world, { InstanceMarketOptions: { MarketType: 'spot' } });
    expect((await instanceOf(world, spot.id)).InstanceLifecycle).toBe('spot');
    expect((await instanceOf(world, (await launch(world)).id)).InstanceLifecycle).toBeUndefined();
  },
  // EC2 user guide, "Terminate Amazon EC2 instances": it "remains visible in the console for a short while".
  'a terminated instance is still listed': async (world) => {
    const { id } = await launch(world, tagged('role', 'worker'));
    const ended = await world.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    expect(ended.TerminatingInstances?.[0]).toMatchObject({
      InstanceId: id,
      PreviousState: { Code: 16, Name: 'running' },
      CurrentState: { Code: 32, Name: 'shutting-down' },
    });
    for (
      let waited = 0;
      waited < 60 && (await instanceOf(world, id)).State?.Name !== 'terminated';
      waited += 1
    )
      await world.pass(1);
    const instance = await instanceOf(world, id);
    expect(instance).toMatchObject({ State: { Code: 48, Name: 'terminated' }, InstanceType: 'm5.large' });
    expect(instance.Tags).toEqual([{ Key: 'role', Value: 'worker' }]);
    expect(instance.StateReason?.Code).toBe('Client.UserInitiatedShutdown');
  },
  // Its network interface is deleted with it (EC2 user guide, "How instance termination works").
  'a terminated instance has no address': async (world) => {
    const { id } = await launch(world);
    await world.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await world.pass(30);
    expect((await instanceOf(world, id)).PrivateIpAddress).toBeUndefined();
  },
  'terminating a terminated instance succeeds': async (world) => {
    const { id } = await launch(world);
    await world.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await world.pass(30);
    const again = await world.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    expect(again.TerminatingInstances?.[0]?.InstanceId).toBe(id);
  },
  'a terminated instance can be neither started nor stopped': async (world) => {
    const InstanceIds = [(await launch(world)).id];
    await world.client.send(new TerminateInstancesCommand({ InstanceIds }));
    await world.pass(30);
    const wrong = named('IncorrectInstanceState');
    await expect(world.client.send(new StartInstancesCommand({ InstanceIds }))).rejects.toMatchObject(wrong);
    await expect(world.client.send(new StopInstancesCommand({ InstanceIds }))).rejects.toMatchObject(wrong);
  },
  'a dry run changes nothing': async (world) => {
    const { id } = await launch(world);
    await expect(
      world.client.send(new TerminateInstancesCommand({ InstanceIds: [id], DryRun: true })),
    ).rejects.toMatchObject(named('DryRunOperation'));
    expect((await instanceOf(world, id)).State?.Name).toBe('running');
  },
};

/** EC2 as far as nodes need it. */
export const ec2Cases: Cases<Ec2World> = {
  ...ec2InstanceCases,
  ...ec2TypeCases,
  ...ec2TagCases,
  ...ec2LaunchTemplateCases,
};
