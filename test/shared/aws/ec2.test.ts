import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import {
  type DescribeInstancesCommandInput,
  type EC2Client,
  EC2ServiceException,
  type Instance,
} from '@aws-sdk/client-ec2';
import { describe, expect, it, test } from 'vitest';
import { readGroupReturns } from '../../../shared/aws/activities.ts';
import { createEc2, createNamedInstances } from '../../../shared/aws/ec2.ts';

/** EC2 that knows these instances, and refuses each call that names another. */
function ec2Knowing(known: readonly string[]) {
  const asked: (readonly string[])[] = [];
  const send = async ({ input }: { readonly input: { readonly InstanceIds: readonly string[] } }) => {
    asked.push(input.InstanceIds);
    const unknown = input.InstanceIds.filter((id) => !known.includes(id));
    if (unknown.length > 0)
      throw new EC2ServiceException({
        name: 'InvalidInstanceID.NotFound',
        message: `The instance ID '${unknown[0]}' does not exist`,
        $fault: 'client',
        $metadata: {},
      });
    return {
      $metadata: {},
      Reservations: input.InstanceIds.map((InstanceId) => ({
        Instances: [{ InstanceId, LaunchTime: new Date('2026-01-05T08:00:00Z') }],
      })),
    };
  };
  return { asked, ec2: createEc2({ send } as unknown as EC2Client) };
}

it('describeInstances returns the known instances if EC2 does not know one of them', async () => {
  const ids = ['i-1', 'i-2', 'gone-1', 'i-3', 'gone-2'];
  const { ec2 } = ec2Knowing(['i-1', 'i-2', 'i-3']);
  const found = await Promise.all(ids.map((id) => ec2.describeInstance(id)));
  expect(found.map((instance) => instance?.instanceId)).toEqual(['i-1', 'i-2', undefined, 'i-3', undefined]);
});

it('concurrent reads of instances share calls of up to a hundred ids', async () => {
  const ids = Array.from({ length: 101 }, (_, index) => `i-${index}`);
  const { ec2, asked } = ec2Knowing(ids);
  await Promise.all(ids.map((id) => ec2.describeInstance(id)));
  expect(asked.map(({ length }) => length)).toEqual([100, 1]);
});

it('an instance has its launch time', async () => {
  const { ec2 } = ec2Knowing(['i-1']);
  expect(await ec2.describeInstance('i-1')).toMatchObject({ launchedAt: Date.UTC(2026, 0, 5, 8) });
});

it.each([undefined, 'hibernating', 'Running'])(
  'the state %s of an instance counts as pending',
  async (name) => {
    const Reservations = [{ Instances: [{ InstanceId: 'i-1', State: { Name: name } }] }];
    const send = async () => ({ $metadata: {}, Reservations });
    const ec2 = createEc2({ send } as unknown as EC2Client);
    expect(await ec2.describeInstance('i-1')).toMatchObject({ state: 'pending' });
  },
);

function ec2With(instances: readonly Instance[]) {
  const asked: DescribeInstancesCommandInput[] = [];
  const send = async ({ input }: { readonly input: DescribeInstancesCommandInput }) => {
    asked.push(input);
    const [{ Name, Values = [] } = {}] = input.Filters ?? [];
    const found = instances.filter(({ InstanceId = '', PrivateDnsName = '' }) =>
      Values.includes(Name === 'instance-id' ? InstanceId : PrivateDnsName),
    );
    return { $metadata: {}, Reservations: [{ OwnerId: '123456789012', Instances: found }] };
  };
  return { asked, instances: createNamedInstances({ send } as unknown as EC2Client) };
}

const dnsName = 'ip-10-0-0-1.eu-west-1.compute.internal';

describe('instances by the names of their Nodes', () => {
  test('are found by private DNS name and by id, each once', async () => {
    const { instances } = ec2With([{ InstanceId: 'i-1', PrivateDnsName: dnsName }, { InstanceId: 'i-2' }]);
    const found = await instances.find([dnsName, 'i-1', 'i-2', 'i-3']);
    expect(found.map(({ instanceId }) => instanceId).toSorted()).toEqual(['i-1', 'i-2']);
  });

  test('a thousand names are five calls, and no name is none', async () => {
    const { instances, asked } = ec2With([]);
    expect(await instances.find(Array.from({ length: 1000 }, (_, index) => `ip-${index}.internal`))).toEqual(
      [],
    );
    expect(asked.map(({ Filters }) => Filters?.[0]?.Values?.length)).toEqual([200, 200, 200, 200, 200]);
    expect(await instances.find([])).toEqual([]);
    expect(asked).toHaveLength(5);
  });

  test('are found on every page: a second instance of a name must not be missed', async () => {
    const pages = [{ InstanceId: 'i-1' }, { InstanceId: 'i-2' }].map((instance, page) => ({
      $metadata: {},
      Reservations: [{ OwnerId: '123456789012', Instances: [{ ...instance, PrivateDnsName: dnsName }] }],
      ...(page === 0 && { NextToken: 'next' }),
    }));
    const send = async ({ input }: { readonly input: DescribeInstancesCommandInput }) =>
      pages[input.NextToken === 'next' ? 1 : 0];
    const found = await createNamedInstances({ send } as unknown as EC2Client).find([dnsName]);
    expect(found.map(({ instanceId }) => instanceId)).toEqual(['i-1', 'i-2']);
  });

  test('bring what a decision needs: addresses by kind, profile, group tag, account and times', async () => {
    const { instances } = ec2With([
      {
        InstanceId: 'i-1',
        PrivateDnsName: dnsName,
        State: { Name: 'running' },
        VpcId: 'vpc-1',
        LaunchTime: new Date('2026-01-05T08:00:00Z'),
        RootDeviceName: '/dev/xvda',
        BlockDeviceMappings: [
          { DeviceName: '/dev/xvdb', Ebs: { AttachTime: new Date('2026-01-07T08:00:00Z') } },
          { DeviceName: '/dev/xvda', Ebs: { AttachTime: new Date('2026-01-06T08:00:00Z') } },
        ],
        IamInstanceProfile: { Arn: 'arn:aws:iam::123456789012:instance-profile/workers' },
        Tags: [{ Key: 'aws:autoscaling:groupName', Value: 'workers' }],
        NetworkInterfaces: [
          {
            PrivateDnsName: dnsName,
            PrivateIpAddresses: [
              {
                Primary: true,
                PrivateIpAddress: '10.0.0.1',
                Association: { PublicIp: '203.0.113.1', PublicDnsName: 'ec2-203-0-113-1.amazonaws.com' },
              },
              { Primary: false, PrivateIpAddress: '10.0.0.7' },
            ],
            Ipv6Addresses: [{ Ipv6Address: '2001:DB8::1' }, { Ipv6Address: '2001:db8:0:0::2' }],
          },
          { PrivateIpAddresses: [{ Primary: true, PrivateIpAddress: '10.0.1.1' }] },
        ],
      },
    ]);
    expect(await instances.findByIds(['i-1'])).toEqual([
      {
        instanceId: 'i-1',
        state: 'running',
        nodeNames: [dnsName, 'i-1'],
        accountId: '123456789012',
        vpcId: 'vpc-1',
        instanceProfileArn: 'arn:aws:iam::123456789012:instance-profile/workers',
        groupTag: 'workers',
        launchedAt: Date.UTC(2026, 0, 5, 8),
        rootVolumeAttachedAt: Date.UTC(2026, 0, 6, 8),
        addresses: {
          dnsNames: [dnsName],
          primary: ['10.0.0.1', '10.0.1.1', '2001:db8::1'],
          secondary: ['10.0.0.7', '2001:db8::2'],
          publicDnsNames: ['ec2-203-0-113-1.amazonaws.com'],
          public: ['203.0.113.1'],
        },
      },
    ]);
  });
});

test('the latest return from Standby or a warm pool is known for each instance', async () => {
  const ids = ['i-0aaaaaaaaaaaaaaa1', 'i-0bbbbbbbbbbbbbbb2'];
  const activity = (Description: string, day: number) => ({
    Description,
    StartTime: new Date(Date.UTC(2026, 0, day)),
  });
  const send = async () => ({
    $metadata: {},
    Activities: [
      activity(`Moving EC2 instance out of Standby: ${ids[0]}`, 5),
      activity(`Moving EC2 instance out of Standby: ${ids[0]}`, 3),
      activity(`Launching a new EC2 instance from warm pool: ${ids[1]}`, 4),
      activity(`Moving EC2 instance to Standby: ${ids[1]}`, 6),
      activity('Launching a new EC2 instance: i-0cccccccccccccccc', 7),
    ],
  });
  const returns = await readGroupReturns({ send } as unknown as AutoScalingClient, 'workers');
  expect(returns).toEqual(
    new Map([
      [ids[0], Date.UTC(2026, 0, 5)],
      [ids[1], Date.UTC(2026, 0, 4)],
    ]),
  );
});
