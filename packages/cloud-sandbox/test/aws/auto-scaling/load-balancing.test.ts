import { describe, expect } from 'vitest';
import {
  actionsOf,
  createCloud,
  createGroup,
  firstInstanceId,
  putHook,
  stateOf,
  terminate,
} from '../support/cloud.ts';
import { hookRule } from '../support/documented.ts';

describe('a group behind a load balancer', () => {
  const arn = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/0123456789abcdef';

  const rule = hookRule('a group behind a load balancer');
  const page = 'lifecycle-hooks-overview, steps 3 to 5';

  rule(
    'registers an instance before it is in service, and deregisters it before its hook starts',
    page,
    () => {
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
    },
  );
});
