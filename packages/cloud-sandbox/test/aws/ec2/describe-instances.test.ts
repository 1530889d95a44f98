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

// https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstances.html
describe('describing instances', () => {
  test('returns pages, and refuses a page size together with ids', () => {
    const cloud = createCloud();
    const ids = Array.from({ length: 12 }, () => run(cloud));
    const first = cloud.ec2.operations.DescribeInstances({ MaxResults: 5 });
    const second = cloud.ec2.operations.DescribeInstances({ MaxResults: 5, NextToken: first.NextToken });
    const third = cloud.ec2.operations.DescribeInstances({ MaxResults: 5, NextToken: second.NextToken });
    const all = [first, second, third].flatMap(({ Reservations = [] }) =>
      Reservations.flatMap(({ Instances = [] }) => Instances),
    );
    expect(all.map(({ InstanceId }) => InstanceId)).toEqual(ids);
    expect(third.NextToken).toBeUndefined();
    expect(() => cloud.ec2.operations.DescribeInstances({ InstanceIds: ids, MaxResults: 5 })).toThrow(
      expect.objectContaining({ code: 'InvalidParameterCombination' }),
    );
  });

  test.each([
    ['instance-state-name', ['running'], 2],
    ['private-dns-name', ['ip-10-0-0-4.*'], 1],
    ['tag:role', ['worker', 'other'], 1],
    ['tag-key', ['role'], 1],
    ['availability-zone', ['eu-west-1b'], 1],
    ['instance-lifecycle', ['spot'], 1],
  ])('filters by %s', (Name, Values, expected) => {
    const cloud = createCloud();
    const tags = [{ ResourceType: 'instance', Tags: [{ Key: 'role', Value: 'worker' }] }];
    run(cloud, { TagSpecifications: tags });
    run(cloud, { SubnetId: 'subnet-0bbbbbbbbbbbbbbbb', InstanceMarketOptions: { MarketType: 'spot' } });
    cloud.advance(15);
    run(cloud);
    const { Reservations = [] } = cloud.ec2.operations.DescribeInstances({ Filters: [{ Name, Values }] });
    expect(Reservations).toHaveLength(expected);
  });

  test.each(['spot', 'capacity-block', 'interruptible-capacity-reservation'] as const)(
    'shows the lifecycle %s, and none for an On-Demand Instance',
    (MarketType) => {
      const cloud = createCloud();
      run(cloud, { InstanceMarketOptions: { MarketType } });
      run(cloud);
      const lifecycles = (Filters?: { Name: string; Values: string[] }[]) =>
        (cloud.ec2.operations.DescribeInstances({ ...(Filters && { Filters }) }).Reservations ?? []).flatMap(
          ({ Instances = [] }) => Instances.map(({ InstanceLifecycle }) => InstanceLifecycle),
        );
      expect(new Set(lifecycles())).toEqual(new Set([MarketType, undefined]));
      expect(lifecycles([{ Name: 'instance-lifecycle', Values: [MarketType] }])).toEqual([MarketType]);
    },
  );

  test('refuses an unknown filter', () => {
    const cloud = createCloud();
    const Filters = [{ Name: 'colour', Values: ['red'] }];
    expect(() => cloud.ec2.operations.DescribeInstances({ Filters })).toThrow(
      "The filter 'colour' is invalid",
    );
  });
});
