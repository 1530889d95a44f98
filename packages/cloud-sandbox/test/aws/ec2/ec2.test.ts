import { describe, expect, test } from 'vitest';
import { type Cloud, createCloud } from '../support/cloud.ts';

const run = (cloud: Cloud, settings = {}): string => {
  const answer = cloud.ec2.operations.RunInstances({
    MinCount: 1,
    MaxCount: 1,
    LaunchTemplate: { LaunchTemplateName: 'workers' },
    ...settings,
  });
  return answer.Instances?.[0]?.InstanceId ?? '';
};

const describeOne = (cloud: Cloud, InstanceId: string) =>
  cloud.ec2.operations.DescribeInstances({ InstanceIds: [InstanceId] }).Reservations?.[0]?.Instances?.[0];

const stateOf = (cloud: Cloud, id: string): string | undefined => describeOne(cloud, id)?.State?.Name;

const statesSent = (cloud: Cloud): unknown[] =>
  cloud.events
    .filter(({ detailType }) => detailType === 'EC2 Instance State-change Notification')
    .map(({ detail }) => detail['state']);

// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-lifecycle.html
describe('an instance', () => {
  test('has a new launch time if it is started again, and keeps its primary network interface', () => {
    const cloud = createCloud();
    const id = run(cloud);
    const times = () => {
      const { Reservations } = cloud.ec2.operations.DescribeInstances({ InstanceIds: [id] });
      const [instance] = Reservations?.[0]?.Instances ?? [];
      const { LaunchTime, NetworkInterfaces } = instance ?? {};
      return {
        launched: LaunchTime?.getTime() ?? 0,
        attached: NetworkInterfaces?.[0]?.Attachment?.AttachTime,
      };
    };
    const before = times();
    cloud.advance(15);
    cloud.ec2.operations.StopInstances({ InstanceIds: [id] });
    cloud.advance(10);
    cloud.ec2.operations.StartInstances({ InstanceIds: [id] });
    expect(times().launched).toBeGreaterThan(before.launched);
    expect(times().attached).toEqual(before.attached);
  });

  test('goes from pending to running, stopped, running and terminated, with an event for each state', () => {
    const cloud = createCloud();
    const id = run(cloud);
    expect(stateOf(cloud, id)).toBe('pending');
    cloud.advance(15);
    cloud.ec2.operations.StopInstances({ InstanceIds: [id] });
    cloud.advance(10);
    cloud.ec2.operations.StartInstances({ InstanceIds: [id] });
    cloud.advance(15);
    cloud.ec2.operations.TerminateInstances({ InstanceIds: [id] });
    cloud.advance(10);
    expect(statesSent(cloud)).toEqual([
      'pending',
      'running',
      'stopping',
      'stopped',
      'pending',
      'running',
      'shutting-down',
      'terminated',
    ]);
  });

  test('is described with its address, its name, its zone and its launch template', () => {
    const cloud = createCloud();
    const id = run(cloud, { SubnetId: 'subnet-0bbbbbbbbbbbbbbbb' });
    expect(describeOne(cloud, id)).toMatchObject({
      InstanceType: 'm5.large',
      ImageId: 'ami-0123456789abcdef0',
      PrivateIpAddress: '10.0.32.4',
      PrivateDnsName: 'ip-10-0-32-4.eu-west-1.compute.internal',
      Placement: { AvailabilityZone: 'eu-west-1b' },
      Tags: expect.arrayContaining([{ Key: 'aws:ec2launchtemplate:version', Value: '1' }]),
    });
  });

  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/hostname-types.html
  test('can be found by its id', () => {
    const cloud = createCloud();
    const id = run(cloud, { PrivateDnsNameOptions: { HostnameType: 'resource-name' } });
    expect(describeOne(cloud, id)?.PrivateDnsName).toBe(`${id}.eu-west-1.compute.internal`);
  });

  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/terminating-instances.html
  test('stays visible for an hour after its end, without its address', () => {
    const cloud = createCloud();
    const id = run(cloud);
    cloud.ec2.operations.TerminateInstances({ InstanceIds: [id] });
    cloud.advance(10);
    expect(describeOne(cloud, id)).toMatchObject({ State: { Name: 'terminated' }, PrivateDnsName: '' });
    cloud.advance(3599);
    expect(stateOf(cloud, id)).toBe('terminated');
    cloud.advance(1);
    expect(() => stateOf(cloud, id)).toThrow(`The instance ID '${id}' does not exist`);
  });

  test('with an unknown or malformed id is refused with the error code of EC2', () => {
    const cloud = createCloud();
    expect(() => describeOne(cloud, 'i-0123456789abcdef0')).toThrow(
      expect.objectContaining({ code: 'InvalidInstanceID.NotFound' }),
    );
    expect(() => describeOne(cloud, 'node-1')).toThrow(
      expect.objectContaining({ code: 'InvalidInstanceID.Malformed' }),
    );
  });

  test('notifies listeners of each state until they unsubscribe', () => {
    const cloud = createCloud();
    const seen: string[] = [];
    const leave = cloud.ec2.onInstanceStateChange((instance, state) =>
      seen.push(`${instance.instanceId} ${state}`),
    );
    const id = run(cloud);
    cloud.advance(15);
    leave();
    cloud.ec2.accidents.kill(id);
    expect(seen).toEqual([`${id} pending`, `${id} running`]);
  });

  // https://docs.aws.amazon.com/AWSEC2/latest/APIReference/CommonParameters.html, DryRun
  test('is not changed by a dry run', () => {
    const cloud = createCloud();
    const id = run(cloud);
    const dryRun = expect.objectContaining({ code: 'DryRunOperation' });
    expect(() => cloud.ec2.operations.TerminateInstances({ InstanceIds: [id], DryRun: true })).toThrow(
      dryRun,
    );
    expect(() => run(cloud, { DryRun: true })).toThrow(dryRun);
    expect(statesSent(cloud)).toEqual(['pending']);
  });

  test('shows its console output', () => {
    const cloud = createCloud();
    const id = run(cloud);
    cloud.ec2.accidents.writeConsole(id, 'kubelet: no route to host\n');
    const { Output = '' } = cloud.ec2.operations.GetConsoleOutput({ InstanceId: id });
    expect(Buffer.from(Output, 'base64').toString()).toBe('kubelet: no route to host\n');
  });

  // https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceAttribute.html
  test('shows its user data, and an empty attribute if it has none', () => {
    const cloud = createCloud();
    const userDataOf = (InstanceId: string) =>
      cloud.ec2.operations.DescribeInstanceAttribute({ InstanceId, Attribute: 'userData' }).UserData;
    expect(userDataOf(run(cloud, { UserData: 'IyEvYmluL3NoCg==' }))).toEqual({ Value: 'IyEvYmluL3NoCg==' });
    expect(userDataOf(run(cloud))).toEqual({});
    expect(() => userDataOf('i-0123456789abcdef0')).toThrow('does not exist');
  });
});

// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html
test('tags can be set, found and deleted, except those that AWS reserves', () => {
  const cloud = createCloud();
  const id = run(cloud);
  const { operations } = cloud.ec2;
  operations.CreateTags({ Resources: [id], Tags: [{ Key: 'role', Value: 'worker' }] });
  const filter = [{ Name: 'key', Values: ['role'] }];
  expect(operations.DescribeTags({ Filters: filter }).Tags).toEqual([
    { ResourceId: id, ResourceType: 'instance', Key: 'role', Value: 'worker' },
  ]);
  operations.DeleteTags({ Resources: [id], Tags: [{ Key: 'role', Value: 'another' }] });
  expect(operations.DescribeTags({ Filters: filter }).Tags).toHaveLength(1);
  operations.DeleteTags({ Resources: [id], Tags: [{ Key: 'role' }] });
  expect(operations.DescribeTags({ Filters: filter }).Tags).toEqual([]);
  expect(() => operations.CreateTags({ Resources: [id], Tags: [{ Key: 'aws:x', Value: '' }] })).toThrow(
    /reserved/,
  );
});

test('instances run in a network of three zones, and an unknown subnet is refused', () => {
  const cloud = createCloud();
  expect(cloud.ec2.operations.DescribeSubnets({}).Subnets).toHaveLength(3);
  expect(
    cloud.ec2.operations.DescribeAvailabilityZones().AvailabilityZones.map(({ ZoneId }) => ZoneId),
  ).toEqual(['euw1-az1', 'euw1-az2', 'euw1-az3']);
  expect(() => run(cloud, { SubnetId: 'subnet-1' })).toThrow("The subnet ID 'subnet-1' does not exist");
});
