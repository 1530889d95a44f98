import type { MarketType } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { type Cloud, createCloud } from '../support/cloud.ts';

const run = (cloud: Cloud, MarketType: MarketType = 'spot'): string => {
  const { Instances } = cloud.ec2.operations.RunInstances({
    MinCount: 1,
    MaxCount: 1,
    InstanceMarketOptions: { MarketType },
  });
  cloud.advance(15);
  return Instances?.[0]?.InstanceId ?? '';
};

const last = (cloud: Cloud) => cloud.events.at(-1);

describe('an EC2 incident', () => {
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
  test('of Spot warns two minutes ahead, with an ARN that has a zone and no account', () => {
    const cloud = createCloud();
    const id = run(cloud);
    cloud.ec2.accidents.interruptSpot(id);
    expect(last(cloud)).toMatchObject({
      source: 'aws.ec2',
      detailType: 'EC2 Spot Instance Interruption Warning',
      resources: [`arn:aws:ec2:eu-west-1a:instance/${id}`],
      detail: { 'instance-id': id, 'instance-action': 'terminate' },
    });
    cloud.advance(120);
    expect(cloud.ec2.instances.find(id)).toMatchObject({
      state: 'shutting-down',
      stateReason: { code: 'Server.SpotInstanceTermination' },
    });
  });

  test('of Spot never affects an On-Demand instance', () => {
    const cloud = createCloud();
    const { Instances } = cloud.ec2.operations.RunInstances({ MinCount: 1, MaxCount: 1 });
    expect(() => cloud.ec2.accidents.interruptSpot(Instances?.[0]?.InstanceId ?? '')).toThrow(
      /not a Spot Instance/,
    );
  });

  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html
  test('that may happen sends only a rebalance recommendation', () => {
    const cloud = createCloud();
    const id = run(cloud);
    cloud.ec2.accidents.recommendRebalance(id);
    expect(last(cloud)).toMatchObject({
      detailType: 'EC2 Instance Rebalance Recommendation',
      resources: [`arn:aws:ec2:eu-west-1:123456789012:instance/${id}`],
      detail: { 'instance-id': id },
    });
    cloud.advance(3600);
    expect(cloud.ec2.instances.find(id)?.state).toBe('running');
  });

  test.each([
    [false, 'capacity-block'],
    [true, 'interruptible-capacity-reservation'],
  ] as const)(
    'of a capacity reservation names its end; its resources can be %#',
    (bareResource, lifecycle) => {
      const cloud = createCloud();
      const instanceId = run(cloud, lifecycle);
      cloud.ec2.accidents.interruptCapacityReservation({ instanceId, noticeSeconds: 600, bareResource });
      const arn = `arn:aws:ec2:eu-west-1:123456789012:instance/${instanceId}`;
      expect(last(cloud)).toMatchObject({
        detailType: 'EC2 Capacity Reservation Instance Interruption Warning',
        resources: bareResource ? arn : [arn],
        detail: {
          'instance-id': instanceId,
          'instance-action': 'terminate',
          'instance-termination-time': '2026-01-05T08:10:15Z',
          'instance-lifecycle': lifecycle,
        },
      });
      cloud.advance(600);
      expect(cloud.ec2.instances.find(instanceId)?.state).toBe('shutting-down');
    },
  );

  test.each(['spot', 'on-demand'] as const)(
    'of a capacity reservation never affects an instance outside of one (%s)',
    (lifecycle) => {
      const cloud = createCloud();
      const instanceId = run(cloud, lifecycle);
      expect(() => cloud.ec2.accidents.interruptCapacityReservation({ instanceId })).toThrow(
        /not in a capacity block or an interruptible capacity reservation/,
      );
    },
  );

  // https://docs.aws.amazon.com/health/latest/ug/aws-health-events-eventbridge-schema.html
  test('that AWS Health announces is sent in pages, with each entity once', () => {
    const cloud = createCloud();
    const entities = ['i-1', 'i-2', 'i-3', 'i-4', 'i-5'];
    cloud.ec2.accidents.healthEvent({ entities, entitiesPerPage: 2, startsInSeconds: 3600 });
    const details = cloud.events.filter(({ source }) => source === 'aws.health').map(({ detail }) => detail);
    expect(details).toMatchObject([
      { page: '1', totalPages: '3', affectedEntities: [{ entityValue: 'i-1' }, { entityValue: 'i-2' }] },
      { page: '2', totalPages: '3' },
      { page: '3', totalPages: '3', affectedEntities: [{ entityValue: 'i-5' }] },
    ]);
    expect(details[0]).toMatchObject({
      service: 'EC2',
      eventTypeCategory: 'scheduledChange',
      startTime: 'Mon, 05 Jan 2026 09:00:00 GMT',
      eventRegion: 'eu-west-1',
    });
    expect(new Set(details.map((detail) => detail['eventArn'])).size).toBe(1);
  });
});
