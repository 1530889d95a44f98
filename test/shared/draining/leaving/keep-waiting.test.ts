import { describe, expect, it } from 'vitest';
import { keepWaiting } from '../../../../shared/draining/leaving/keep-waiting.ts';
import type { LeaveTerms } from '../../../../shared/draining/leaving/terms.ts';
import type { LeavingMark } from '../../../../shared/draining/leaving-mark.ts';
import { createNodeWorld } from '../../../support/leaving-world.ts';
import { groupOf } from '../../../support/waiting-group.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';
const toldAt = Date.UTC(2026, 10, 21, 7);
const at = (seconds: number): string => new Date(toldAt + seconds * 1000).toISOString();

const markOf = (parts: Partial<LeavingMark>): LeavingMark => ({
  cause: 'terminating',
  instanceId,
  since: at(0),
  lastSignAt: at(0),
  before: { unschedulable: false, excludedFromLoadBalancers: false },
  waitingFor: [],
  ...parts,
});

const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', instanceId };
const group = groupOf({ [instanceId]: 'Terminating:Wait' });
const terms = (parts: Partial<LeaveTerms> = {}): LeaveTerms => ({
  instance: {
    ...action,
    lifecycleState: 'Terminating:Wait',
    availabilityZone: 'eu-west-1a',
    healthy: true,
  },
  group,
  settings: createNodeWorld(0, {}).world.settings.defaults,
  cause: 'terminating',
  hook: {
    lifecycleHookName: action.lifecycleHookName,
    transition: 'terminating',
    heartbeatTimeoutSeconds: 300,
    globalTimeoutSeconds: 30_000,
    defaultResult: 'CONTINUE',
  },
  action,
  etcdHookStands: false,
  toWarmPool: false,
  since: toldAt,
  toldAt,
  deadlines: { deadline: Infinity, limit: toldAt + 29_970_000 },
  mustHurry: false,
  ...parts,
});

/** Whether a pass so many seconds after the notice sends a heartbeat. */
async function beats(seconds: number, mark?: LeavingMark, parts: Partial<LeaveTerms> = {}): Promise<boolean> {
  const { world, pass } = createNodeWorld(toldAt, {});
  pass(seconds);
  const recordHeartbeat = () => Promise.resolve('recorded' as const);
  const beating = { ...world, autoScaling: { ...world.autoScaling, recordHeartbeat } };
  return (await keepWaiting(beating, terms(parts), mark)) === 'beat';
}

describe('the heartbeats of a wait', () => {
  it('go by the clock without a mark: just after every third of the timeout', async () => {
    expect([await beats(99), await beats(100), await beats(129), await beats(130)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('go by the last one that the mark knows, however late a pass comes', async () => {
    const mark = markOf({ lastBeatAt: at(105), lastSignAt: at(105) });
    expect([await beats(204, mark), await beats(205, mark), await beats(290, mark)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('are not repeated by the first mark of a node that has waited long for its turn: the clock has had it beat', async () => {
    const mark = markOf({ lastSignAt: at(230) });
    expect([
      await beats(235, mark),
      await beats(299, mark),
      await beats(300, mark),
      await beats(340, mark),
    ]).toEqual([false, false, true, true]);
  });

  it('are sent at once where a mark is older than all that anybody has been told', async () => {
    const mark = markOf({ since: at(-500), lastSignAt: at(-400) });
    expect(await beats(0, mark)).toBe(true);
  });

  it('are sent only to a wait on our hook, and only before its limit', async () => {
    const { hook: _, ...without } = terms();
    const { world } = createNodeWorld(toldAt + 100_000, {});
    expect(await keepWaiting(world, without, undefined)).toBe('not-due');
    expect(await beats(100, undefined, { deadlines: { deadline: Infinity, limit: toldAt + 100_000 } })).toBe(
      false,
    );
  });
});
