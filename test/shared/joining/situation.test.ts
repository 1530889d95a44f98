import { describe, expect, it } from 'vitest';
import type { Ec2Instance } from '../../../shared/groups/ec2.ts';
import type { GroupInstance } from '../../../shared/groups/group.ts';
import { joiningSituation } from '../../../shared/joining/situation.ts';
import { joiningId } from '../../support/joining-context.ts';

const instanceIn = (lifecycleState: string): GroupInstance => ({
  instanceId: joiningId,
  autoScalingGroupName: 'workers',
  lifecycleState,
  availabilityZone: 'eu-west-1a',
  healthy: true,
});

const ec2In = (state: Ec2Instance['state']): Ec2Instance => ({
  instanceId: joiningId,
  state,
  tags: {},
});

describe('a launching instance', () => {
  it.each([
    ['Pending:Wait', { kind: 'waiting', toWarmPool: false }],
    ['Warmed:Pending:Wait', { kind: 'waiting', toWarmPool: true }],
    ['Pending', { kind: 'settling' }],
    ['Warmed:Pending', { kind: 'settling' }],
    ['RootVolumeReplaced', { kind: 'settling' }],
    ['Pending:Proceed', { kind: 'over' }],
    ['Warmed:Pending:Proceed', { kind: 'over' }],
    ['Warmed:Stopped', { kind: 'over' }],
    ['InService', { kind: 'over' }],
    ['Terminating:Wait', { kind: 'over' }],
  ])('in %s is judged by its state', (state, expected) => {
    const instance = instanceIn(state);
    expect(joiningSituation({ instance, ec2: ec2In('running'), isNew: false })).toMatchObject(expected);
  });

  it('settles while it is new and no group lists it', () => {
    for (const ec2 of [undefined, ec2In('running')])
      expect(joiningSituation({ instance: undefined, ec2, isNew: true })).toEqual({
        kind: 'settling',
        reason: 'Auto Scaling does not list it yet',
      });
  });

  it('is over if no group lists it and it is terminated, or not new', () => {
    const over = (ec2: Ec2Instance | undefined, isNew: boolean) =>
      joiningSituation({ instance: undefined, ec2, isNew });
    const reason = 'it is not in an Auto Scaling group';
    expect(over(ec2In('terminated'), true)).toEqual({
      kind: 'over',
      reason: `${reason}; EC2 reports it as terminated`,
    });
    expect(over(ec2In('running'), false)).toEqual({
      kind: 'over',
      reason: `${reason}; EC2 reports it as running`,
    });
    expect(over(undefined, false)).toEqual({ kind: 'over', reason });
  });
});
