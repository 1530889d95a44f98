import { describe, expect, test } from 'vitest';
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

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/configure-instance-retention.html
describe('a group that retains abandoned instances', () => {
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

  test('keeps one outside the desired capacity, and replaces it', () => {
    const { cloud, instanceId } = retaining();
    complete(cloud, { instanceId, result: 'ABANDON' });
    cloud.advance(60);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Retained');
    expect(statesOf(cloud).sort()).toEqual(['InService', 'Terminating:Retained']);
    expect(groupOf(cloud).DesiredCapacity).toBe(1);
    expect(cloud.ec2.instances.find(instanceId)?.state).toBe('running');
  });

  test('keeps one whose wait ran out with ABANDON, and not one that was continued', () => {
    const { cloud, instanceId } = retaining({ HeartbeatTimeout: 30 });
    cloud.advance(30);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Retained');
    const continued = retaining();
    complete(continued.cloud, { instanceId: continued.instanceId });
    expect(stateOf(continued.cloud, continued.instanceId)).toBe('Terminating:Proceed');
  });

  test('keeps none that EC2 took before', () => {
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

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/manage-retained-instances.html
  test('lets go of it through its hooks when it is terminated, and never lowers the desired capacity for it', () => {
    const { cloud, instanceId } = retaining();
    complete(cloud, { instanceId, result: 'ABANDON' });
    cloud.advance(60);
    expect(() => terminate(cloud, instanceId, true)).toThrow(/retained/);
    terminate(cloud, instanceId);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
    complete(cloud, { instanceId });
    cloud.advance(20);
    expect(statesOf(cloud)).toEqual(['InService']);
  });
});
