import { describe, expect, it } from 'vitest';
import { type HooksInput, hooksOf } from '../../../../shared/draining/leaving/hooks-of.ts';
import type { LeavingSubject } from '../../../../shared/draining/leaving/world.ts';
import type { AutoScalingGroup, LifecycleHook } from '../../../../shared/lifecycle/group.ts';
import type { LeavingNotice } from '../../../../shared/lifecycle/notice.ts';
import { createNodeWorld } from '../../../support/leaving-world.ts';
import { groupOf } from '../../../support/waiting-group.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';
const toldAt = Date.UTC(2026, 10, 21, 7);
const settings = createNodeWorld(0, {}).world.settings.defaults;

const told: LeavingNotice = {
  cause: 'terminating',
  instanceId,
  noticedAt: new Date(toldAt).toISOString(),
  hook: { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving' },
};

const stands: LifecycleHook = {
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 300,
  globalTimeoutSeconds: 30_000,
  defaultResult: 'CONTINUE',
};

interface Case {
  readonly afterSeconds?: number;
  readonly notices?: readonly LeavingNotice[];
  readonly group?: Partial<AutoScalingGroup>;
  readonly input?: Partial<HooksInput>;
}

/** What is made of the hooks, and whether Auto Scaling was asked for them. */
async function look({ afterSeconds = 0, notices = [told], group = {}, input = {} }: Case) {
  const { world, pass } = createNodeWorld(toldAt, {});
  pass(afterSeconds);
  let asked = 0;
  const describeHooks = () => {
    asked += 1;
    return Promise.resolve([stands]);
  };
  const subject: LeavingSubject = { instanceId, notices };
  const hooks = await hooksOf({ ...world, autoScaling: { ...world.autoScaling, describeHooks } }, subject, {
    group: { ...groupOf({ [instanceId]: 'Terminating:Wait', 'i-2': 'InService' }), ...group },
    settings,
    waits: true,
    ...input,
  });
  return { hooks, asked };
}

describe('the hooks of a wait that has just begun', () => {
  it('are not asked for: ours beats as often and lasts as long as a hook can', async () => {
    const { hooks, asked } = await look({ afterSeconds: 9 });
    expect(asked).toBe(0);
    expect(hooks).toEqual([{ ...stands, heartbeatTimeoutSeconds: 30, globalTimeoutSeconds: 172_800 }]);
  });

  it.each<[string, Case]>([
    ['a heartbeat could be due', { afterSeconds: 10 }],
    ['its Node was marked before', { input: { markedSince: toldAt - 60_000 } }],
    [
      'the drain timeout is longer than the shortest wait',
      { input: { settings: { ...settings, drainTimeoutSeconds: 3600 } } },
    ],
    [
      'the group is paused, which is said with an end',
      { group: { tags: { 'drover.dev/paused': 'scope=group' } } },
    ],
    [
      'others leave too, who share the answer',
      { group: groupOf({ [instanceId]: 'Terminating:Wait', 'i-2': 'Terminating:Wait' }) },
    ],
    ['the list of the group is older than the wait', { group: groupOf({ [instanceId]: 'InService' }) }],
    ['another reason came along', { notices: [told, { ...told, cause: 'spot-interruption' }] }],
    [
      'it waits on a hook of somebody else',
      { notices: [{ ...told, hook: { autoScalingGroupName: 'workers', lifecycleHookName: 'ship-logs' } }] },
    ],
    ['nobody but the sweep has told of it', { notices: [{ ...told, cause: 'swept' }] }],
    ['it does not wait', { input: { waits: false } }],
  ])('are asked for where %s', async (_, one) => {
    expect(await look(one)).toEqual({ hooks: [stands], asked: 1 });
  });
});
