import { describe, expect, test } from 'vitest';
import { createElasticLoadBalancing } from '../../../src/aws/elastic-load-balancing/elastic-load-balancing.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createVirtualClock } from '../../../src/simulation/virtual-clock.ts';
import { advanceClock } from '../support/cloud.ts';

function createWorld() {
  const clock = createVirtualClock();
  const balancing = createElasticLoadBalancing({
    clock,
    random: createRandom(1),
    accountId: '123456789012',
    region: 'eu-west-1',
  });
  const { operations } = balancing;
  const { TargetGroups } = operations.CreateTargetGroup({
    Name: 'web',
    Protocol: 'TCP',
    Port: 443,
    VpcId: 'vpc-1',
  });
  const TargetGroupArn = TargetGroups[0]?.TargetGroupArn ?? '';
  const healthOf = (Id: string): string | undefined =>
    operations.DescribeTargetHealth({ TargetGroupArn, Targets: [{ Id }] }).TargetHealthDescriptions[0]
      ?.TargetHealth?.State;
  const change = { TargetGroupArn, Targets: [{ Id: 'i-1' }] };
  return {
    balancing,
    operations,
    TargetGroupArn,
    healthOf,
    change,
    advance: (seconds: number) => advanceClock(clock, seconds),
  };
}

// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/target-group-health-checks.html
describe('a target', () => {
  test('is unused until it is registered, then initial, then healthy', () => {
    const { operations, change, healthOf, advance } = createWorld();
    expect(healthOf('i-1')).toBe('unused');
    operations.RegisterTargets(change);
    expect(healthOf('i-1')).toBe('initial');
    advance(10);
    expect(healthOf('i-1')).toBe('healthy');
  });

  // https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-target-group-attributes.html
  test('drains for the deregistration delay', () => {
    const { operations, TargetGroupArn, change, healthOf, advance } = createWorld();
    operations.ModifyTargetGroupAttributes({
      TargetGroupArn,
      Attributes: [{ Key: 'deregistration_delay.timeout_seconds', Value: '120' }],
    });
    operations.RegisterTargets(change);
    operations.DeregisterTargets(change);
    advance(119);
    expect(healthOf('i-1')).toBe('draining');
    advance(1);
    expect(healthOf('i-1')).toBe('unused');
  });

  test('without connections is deregistered at once', () => {
    const { balancing, operations, TargetGroupArn, change, healthOf, advance } = createWorld();
    operations.RegisterTargets(change);
    balancing.setConnected('i-1', false);
    let drained = false;
    balancing.targets.deregister(TargetGroupArn, 'i-1', () => {
      drained = true;
    });
    advance(0);
    expect(drained).toBe(true);
    expect(healthOf('i-1')).toBe('unused');
  });

  test('that is registered again while it drains stays registered', () => {
    const { operations, change, healthOf, advance } = createWorld();
    operations.RegisterTargets(change);
    operations.DeregisterTargets(change);
    advance(100);
    operations.RegisterTargets(change);
    advance(300);
    expect(healthOf('i-1')).toBe('healthy');
  });
});

test('a target group can be found by name and ARN, and an unknown one is refused', () => {
  const { operations, TargetGroupArn } = createWorld();
  expect(operations.DescribeTargetGroups({ Names: ['web'] }).TargetGroups).toMatchObject([
    { TargetGroupArn, Port: 443 },
  ]);
  expect(() => operations.DescribeTargetGroups({ Names: ['other'] })).toThrow(/not found/);
  operations.DeleteTargetGroup({ TargetGroupArn });
  expect(() => operations.DescribeTargetHealth({ TargetGroupArn })).toThrow(
    expect.objectContaining({ code: 'TargetGroupNotFound' }),
  );
});
