import { describe, expect, it } from 'vitest';
import type { LeavingInstance } from '../../../shared/capacity/leaving-instances.ts';
import { waitsFor } from '../../../shared/capacity/waits-for.ts';
import { leavingInstanceIn, since } from '../../cli/leaving-support.ts';

const pause = { scope: 'group' } as const;
const etcd = { autoScalingGroupName: 'etcd', retainsAbandoned: false, tags: { 'drover.dev/role': 'etcd' } };

const without = (instance: LeavingInstance, ...names: readonly (keyof LeavingInstance)[]): LeavingInstance =>
  Object.fromEntries(
    Object.entries(instance).filter(([name]) => !(names as readonly string[]).includes(name)),
  ) as unknown as LeavingInstance;

const waiting = leavingInstanceIn('Terminating:Wait');
const newVolume = (state: string) => leavingInstanceIn(state, { mark: { bootBefore: 'b-1' } });

describe('a leaving instance waits', () => {
  it.each<[string, string, LeavingInstance]>([
    ['its pods', 'with a mark', waiting],
    ['its pods', 'with a mark before its wait', leavingInstanceIn('Terminating')],
    ['its pods', 'with a mark, in no managed group', without(waiting, 'member', 'group', 'hook')],
    ['unknown', 'without a mark and a group', without(waiting, 'node', 'member', 'group', 'hook')],
    [
      'confirmation',
      'once its instance is missing',
      leavingInstanceIn('', { mark: { missingSince: since } }),
    ],
    ['a person', 'once its group retains it', leavingInstanceIn('Terminating:Retained', { pause })],
    ['EC2', 'after its hooks, also in a pause', leavingInstanceIn('Terminating:Proceed', { pause })],
    ['the end of the pause', 'in a pause', leavingInstanceIn('Terminating:Wait', { pause })],
    ['its pods', 'before it gets a new root volume', newVolume('ReplacingRootVolume:Wait')],
    ['its new root volume', 'while it gets a new root volume', newVolume('RootVolumeReplaced')],
    ['its pods', 'with a mark that it keeps in service', leavingInstanceIn('InService')],
    ['its first pass', 'on the hook of Drover', without(waiting, 'node')],
    ['a hook that is not', 'on another hook', without(waiting, 'node', 'hook')],
    ['a hook that is not', 'on another hook of a group unseen', without(waiting, 'node', 'hook', 'group')],
    ['its member', 'on the hook of etcd', without({ ...waiting, group: etcd }, 'node', 'hook')],
    ['Auto Scaling', 'before its wait', without(leavingInstanceIn('Terminating'), 'node')],
  ])('for %s %s', (words, _, instance) => {
    expect(waitsFor(instance)).toMatch(new RegExp(`^${words}`));
  });

  it('for another hook of its group too, which no pass can complete: it is named', () => {
    const otherHooks = ['backup', 'audit'];
    const words = (instance: LeavingInstance) => waitsFor({ ...without(instance, 'node'), otherHooks });
    expect(words(waiting)).toBe('its first pass, the concurrency limit, or another hook: backup, audit');
    expect(words(without(waiting, 'hook'))).toBe('a hook that is not Drover’s: backup, audit');
  });

  it.each([
    [undefined, 'shop/web-1, shop/web-2'],
    [0, 'shop/web-1, shop/web-2'],
    [1, 'shop/web-1, shop/web-2 and 1 more'],
  ])('for the pods that its mark names, and %s more', (andMore, words) => {
    const mark = { waitingFor: ['shop/web-1', 'shop/web-2'], ...(andMore !== undefined && { andMore }) };
    expect(waitsFor(leavingInstanceIn('Terminating:Wait', { mark }))).toBe(words);
  });
});
