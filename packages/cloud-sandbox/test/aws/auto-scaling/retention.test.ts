import { describe, expect } from 'vitest';
import {
  type Cloud,
  complete,
  createCloud,
  createGroup,
  firstInstanceId,
  groupOf,
  putHook,
  stateOf,
  statesOf,
  terminate,
} from '../support/cloud.ts';
import { hookRule } from '../support/documented.ts';

describe('a group that retains abandoned instances', () => {
  const rule = hookRule('a group that retains abandoned instances');
  const page = 'configure-instance-retention';
  const retaining = (hook: Parameters<typeof putHook>[1] = {}): { cloud: Cloud; instanceId: string } => {
    const cloud = createCloud();
    createGroup(cloud, {
      MaxSize: 1,
      InstanceLifecyclePolicy: { RetentionTriggers: { TerminateHookAbandon: 'retain' } },
    });
    putHook(cloud, { DefaultResult: 'ABANDON', ...hook });
    const instanceId = firstInstanceId(cloud);
    terminate(cloud, instanceId);
    return { cloud, instanceId };
  };

  rule('keeps such an instance outside the desired capacity, and replaces it', page, () => {
    const { cloud, instanceId } = retaining();
    complete(cloud, { instanceId, result: 'ABANDON' });
    cloud.advance(60);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Retained');
    expect(statesOf(cloud).sort()).toEqual(['InService', 'Terminating:Retained']);
    expect(groupOf(cloud).DesiredCapacity).toBe(1);
    expect(cloud.ec2.instances.find(instanceId)?.state).toBe('running');
  });

  rule('keeps an instance whose wait timed out with ABANDON, but not after CONTINUE', page, () => {
    const { cloud, instanceId } = retaining({ HeartbeatTimeout: 30 });
    cloud.advance(30);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Retained');
    const continued = retaining();
    complete(continued.cloud, { instanceId: continued.instanceId });
    expect(stateOf(continued.cloud, continued.instanceId)).toBe('Terminating:Proceed');
  });

  rule('keeps no instance that EC2 terminated before', page, () => {
    const { cloud, instanceId } = retaining();
    complete(cloud, { instanceId });
    cloud.advance(120);
    const replacement = firstInstanceId(cloud);
    cloud.ec2.accidents.kill(replacement);
    cloud.advance(60);
    expect(stateOf(cloud, replacement)).toBe('Terminating:Wait');
    complete(cloud, { instanceId: replacement, result: 'ABANDON' });
    cloud.advance(60);
    expect(statesOf(cloud)).toEqual(['InService']);
  });

  rule(
    'runs the hooks when a kept instance is terminated, and keeps the desired capacity',
    'manage-retained-instances',
    () => {
      const { cloud, instanceId } = retaining();
      complete(cloud, { instanceId, result: 'ABANDON' });
      cloud.advance(60);
      expect(() => terminate(cloud, instanceId, true)).toThrow(/retained/);
      terminate(cloud, instanceId);
      expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
      complete(cloud, { instanceId });
      cloud.advance(20);
      expect(statesOf(cloud)).toEqual(['InService']);
    },
  );
});
