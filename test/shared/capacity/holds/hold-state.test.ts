import { describe, expect, it } from 'vitest';
import type { Hold } from '../../../../shared/capacity/holds/hold.ts';
import { holdStateOf } from '../../../../shared/capacity/holds/hold-state.ts';
import { groupWith, nodeOf, seen, unknown } from '../fixtures.ts';
import { hour, start } from './fixtures.ts';

type Facts = Parameters<typeof holdStateOf>[1];

const threeInService = groupWith(['InService', 'InService', 'InService', 'Pending'], { maxSize: 4 });

const stateOf = (hold: Partial<Hold>, facts: Partial<Facts> = {}) =>
  holdStateOf(
    {
      autoScalingGroupName: 'workers',
      name: 'sale',
      nodes: 3,
      until: start + hour,
      raiseMaxSize: false,
      ...hold,
    },
    { group: threeInService, nodes: seen(nodeOf(1), nodeOf(2), nodeOf(3)), now: start, ...facts },
  );

describe('the state of a hold', () => {
  it('is met by that number of Ready nodes or more', () => {
    expect(stateOf({ nodes: 3 })).toEqual({ state: 'met', reason: '3 nodes are Ready' });
    expect(stateOf({ nodes: 2 }).state).toBe('met');
  });

  it.each([
    ['is not Ready', nodeOf(3, { ready: false })],
    ['leaves', nodeOf(3, { leaving: true })],
    ['is of an instance that is pending', nodeOf(4)],
  ])('is waiting if a node %s', (_, node) => {
    expect(stateOf({}, { nodes: seen(nodeOf(1), nodeOf(2), node) })).toEqual({
      state: 'waiting',
      reason: '2 of 3 nodes are Ready',
    });
  });

  it('names MaxSize only if the hold asks for more', () => {
    expect(stateOf({ nodes: 4 }).reason).toBe('3 of 4 nodes are Ready');
    expect(stateOf({ nodes: 5 }).reason).toBe('3 of 5 nodes are Ready; MaxSize is 4');
  });

  it('names that the group suspends Launch', () => {
    const group = { ...threeInService, suspendedProcesses: ['Launch'] };
    expect(stateOf({ nodes: 4 }, { group }).reason).toBe('3 of 4 nodes are Ready; the group suspends Launch');
  });

  it('is waiting in a group that counts units, with the reason', () => {
    const group = { ...threeInService, countsUnits: true as const };
    expect(stateOf({}, { group })).toEqual({
      state: 'waiting',
      reason: expect.stringContaining('no size in nodes'),
    });
  });

  it('has the error of the last launch', () => {
    expect(stateOf({ nodes: 4 }, { failedLaunch: 'no capacity' }).reason).toBe(
      '3 of 4 nodes are Ready; the last launch failed: no capacity',
    );
  });

  it('is unknown if the API server does not respond and enough instances are in service', () => {
    expect(stateOf({ nodes: 3 }, { nodes: unknown })).toEqual({
      state: 'unknown',
      reason: '3 of 3 in service; the API server did not answer',
    });
  });

  it('is waiting if too few instances are in service, even if the Nodes are unknown', () => {
    expect(stateOf({ nodes: 4 }, { nodes: unknown })).toMatchObject({
      state: 'waiting',
      reason: expect.stringMatching(/^3 of 4 in service/),
    });
  });

  it('is waiting without its group', () => {
    expect(stateOf({}, { group: undefined })).toMatchObject({
      state: 'waiting',
      reason: 'there is no such managed group',
    });
  });

  it('is over after its end, even without its group', () => {
    expect(stateOf({}, { now: start + hour - 1 }).state).toBe('met');
    expect(stateOf({}, { now: start + hour, group: undefined })).toEqual({
      state: 'over',
      reason: 'it has ended',
    });
  });

  it('is over early if it was ended, with that reason until its time is over', () => {
    const ended = { endedAt: start - hour };
    expect(stateOf(ended)).toMatchObject({ state: 'over', reason: expect.stringContaining('ended early') });
    expect(stateOf(ended, { now: start + hour })).toEqual({ state: 'over', reason: 'it has ended' });
  });
});
