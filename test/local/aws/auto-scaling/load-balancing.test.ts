import { describe, expect, test } from 'vitest';
import {
  actionsOf,
  createCloud,
  createGroup,
  firstInstanceId,
  putHook,
  stateOf,
  terminate,
} from '../support/cloud.ts';

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html, steps 3 to 5
describe('a group behind a load balancer', () => {
  const arn = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/0123456789abcdef';

  test('registers an instance before it serves, and drains it before its hook begins', () => {
    const cloud = createCloud();
    createGroup(cloud, { TargetGroupARNs: [arn] });
    putHook(cloud);
    const instanceId = firstInstanceId(cloud);
    expect(cloud.targets.registered.has(instanceId)).toBe(true);
    terminate(cloud, instanceId);
    expect(cloud.targets.registered.has(instanceId)).toBe(false);
    cloud.advance(59);
    expect(stateOf(cloud, instanceId)).toBe('Terminating');
    expect(actionsOf(cloud)).toEqual([]);
    cloud.advance(1);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
  });
});
