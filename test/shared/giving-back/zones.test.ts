import { describe, expect, it } from 'vitest';
import { keptZones, zoneWords } from '../../../shared/giving-back/zones.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { groupWith } from '../capacity/fixtures.ts';

/** A group in zones a, b and c with an instance in service for each letter. */
function groupIn(letters: string, changes: Partial<AutoScalingGroup> = {}): AutoScalingGroup {
  const group = groupWith(letters.split('').map(() => 'InService'));
  return {
    ...group,
    availabilityZones: ['a', 'b', 'c'],
    instances: group.instances.map((member, index) => ({
      ...member,
      availabilityZone: letters[index] ?? '',
    })),
    ...changes,
  };
}

describe('the zones that keep their instances', () => {
  it.each([
    ['aabbcc', '', 'all are even, and one fewer anywhere is no reason to rebalance'],
    ['aabcc', 'b', 'none would be left beside two'],
    ['aabc', 'bc', 'each of them would be empty beside two'],
    ['abc', '', 'one zone may be empty beside one'],
    ['ab', '', 'an instance of either may go'],
    ['aaabbb', '', 'the zone without instances lacks capacity, and the others come nearer to it'],
    ['aaabc', 'bc', 'the difference would grow'],
    ['a', '', 'one instance'],
    ['', '', 'no instance'],
  ])('of %j are %j: %s', (letters, kept) => {
    expect(keptZones(groupIn(letters))).toEqual(kept.split(''));
  });

  it('are none where AZRebalance is suspended, and where the group has one zone', () => {
    expect(keptZones(groupIn('aabc', { suspendedProcesses: ['AZRebalance'] }))).toEqual([]);
    expect(keptZones(groupIn('aabc', { suspendedProcesses: ['Launch'] }))).toEqual(['b', 'c']);
    expect(keptZones(groupIn('aaaa', { availabilityZones: ['a'] }))).toEqual([]);
  });

  it('are counted by instances in service. A zone that the group has left keeps none', () => {
    const group = groupIn('aabbcc');
    const standby = group.instances.map((member, index) =>
      index === 3 ? { ...member, lifecycleState: 'Standby' } : member,
    );
    expect(keptZones({ ...group, instances: standby })).toEqual(['b']);
    expect(keptZones(groupIn('aabbx', { availabilityZones: ['a', 'b'] }))).toEqual([]);
    expect(keptZones(groupIn('aabx', { availabilityZones: ['a', 'b'] }))).toEqual(['b']);
  });

  it('are named to the reader with the process that would even them out', () => {
    expect(zoneWords(groupIn('aabbcc'))).toBe('');
    expect(zoneWords(groupIn('aabc'))).toMatch(/^; b, c keep theirs, .*\(AZRebalance\)$/);
  });
});
