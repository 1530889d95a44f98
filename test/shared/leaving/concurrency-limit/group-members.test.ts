import { describe, expect, it } from 'vitest';
import { membersOf, waitingOf } from '../../../../shared/leaving/concurrency-limit/group-members.ts';
import { groupOf } from '../../../support/waiting-group.ts';

describe('the members of a group', () => {
  const states = {
    'i-3': 'Terminating:Wait',
    'i-1': 'Warmed:Terminating:Wait',
    'i-2': 'InService',
    'i-4': 'Terminating:Proceed',
  };

  it('know their group', () => {
    const members = membersOf(groupOf(states));
    expect([...members.keys()].toSorted()).toEqual(['i-1', 'i-2', 'i-3', 'i-4']);
    expect(members.get('i-2')).toMatchObject({
      autoScalingGroupName: 'workers',
      lifecycleState: 'InService',
    });
  });

  it('wait in the order of their ids', () => {
    expect(waitingOf(groupOf(states)).map(({ instanceId }) => instanceId)).toEqual(['i-1', 'i-3']);
  });

  it('are computed once for each reading of a group', () => {
    const group = groupOf(states);
    expect(waitingOf(group)).toBe(waitingOf(group));
    expect(waitingOf(groupOf({ ...states, 'i-2': 'Terminating:Wait' }))).toHaveLength(3);
    expect(waitingOf(group)).toHaveLength(2);
  });
});
