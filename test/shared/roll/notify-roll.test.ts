import { describe, expect, it } from 'vitest';
import type { Notification, NotificationResult } from '../../../shared/notifications/notification.ts';
import { notifyRoll, type RollMoment, rollNotifications } from '../../../shared/roll/notify-roll.ts';
import type { RollSeen } from '../../../shared/roll/roll.ts';
import { at, startedAt } from './group-facts.ts';

const moment = (
  seen: Partial<RollSeen> = {},
  {
    roll,
    ...more
  }: Partial<Omit<RollMoment, 'roll' | 'seen'>> & { readonly roll?: Partial<RollMoment['roll']> } = {},
): RollMoment => ({
  roll: {
    name: 'june',
    groups: [{ autoScalingGroupName: 'workers' }],
    startedAt,
    canary: 1,
    wanted: 'run',
    ...roll,
  },
  seen: { startedAt, state: 'running', reason: '11 to go', since: at(30), told: [], ...seen },
  left: 11,
  canaries: new Map(),
  ...more,
});

const passed = new Map([['workers', { kind: 'passed', reason: 'it serves' } as const]]);
const messages = (of: RollMoment) => rollNotifications(of).map(({ kind, message }) => `${kind}: ${message}`);

/** Notifies of these moments in turn, each with what was sent for the one before. Returns the ids of what was sent. */
async function inTurn(moments: readonly RollMoment[], result: NotificationResult = 'sent') {
  const sent: Notification[] = [];
  let told: readonly string[] = [];
  for (const each of moments) {
    const notify = async (notification: Notification) => {
      sent.push(notification);
      return result;
    };
    told = await notifyRoll(notify, { ...each, seen: { ...each.seen, told } });
  }
  return { sent: sent.map(({ kind, occurrence }) => `${kind}/${occurrence}`), told };
}

describe('the notifications of a roll', () => {
  it('name it, its group and why it stays', () => {
    expect(messages(moment({}, { left: 1 }))).toEqual([
      'roll-began: roll june of group workers has begun, and replaces one node',
    ]);
    expect(messages(moment({}, { canaries: passed }))).toContain(
      'roll-canary: the canary of roll june serves in group workers, and 11 old nodes follow',
    );
    expect(messages(moment({ state: 'stopped', reason: 'the alarm errors is raised' }))).toEqual([
      'roll-stopped: roll june of group workers has stopped, with 11 old nodes left: the alarm errors is raised',
    ]);
    expect(messages(moment({ state: 'aborted' }))).toEqual([
      'roll-stopped: roll june of group workers is aborted, with 11 old nodes left',
    ]);
    expect(messages(moment({ state: 'done' }))).toEqual(['roll-done: roll june of group workers is done']);
  });

  it('have the group as a fact only if it is the only one', () => {
    const two = { groups: [{ autoScalingGroupName: 'one' }, { autoScalingGroupName: 'two' }] };
    expect(rollNotifications(moment())[0]?.facts).toEqual({ autoScalingGroupName: 'workers', roll: 'june' });
    expect(rollNotifications(moment({}, { roll: two }))[0]).toMatchObject({
      message: 'roll june of 2 groups has begun, and replaces 11 nodes',
      facts: { roll: 'june' },
    });
  });

  it('have no arrow, which would be a bracket in a chat', () => {
    expect(messages(moment({ state: 'paused', reason: 'workers: v2 -> v3' }))).toEqual([
      'roll-held: roll june of group workers is held: workers: v2 to v3',
    ]);
  });

  it('are not sent of a pause by people, and not of a canary that was not asked for', () => {
    expect(messages(moment({ state: 'paused' }, { roll: { wanted: 'paused' } }))).toEqual([]);
    expect(messages(moment({}, { roll: { canary: 0 }, canaries: passed }))).toHaveLength(1);
  });

  it('are sent once, and again only for another time that the roll is held', async () => {
    const held = (minutes: number) => moment({ state: 'paused', since: at(minutes) });
    const run = moment({}, { canaries: passed });
    const { sent, told } = await inTurn([moment(), run, run, held(40), held(40), run, held(50), held(50)]);
    expect(sent).toEqual([
      'roll-began/june/2026-11-29T08:00:00.000Z',
      'roll-canary/june/2026-11-29T08:00:00.000Z',
      'roll-held/june/2026-11-29T08:40:00.000Z',
      'roll-held/june/2026-11-29T08:50:00.000Z',
    ]);
    expect(told).toEqual(['roll-began', 'roll-canary', 'roll-held/2026-11-29T08:50:00.000Z']);
  });

  it('are sent again if EventBridge did not accept them, and not if the deployment has none', async () => {
    expect(await inTurn([moment(), moment()], 'failed')).toMatchObject({ sent: { length: 2 }, told: [] });
    expect(await inTurn([moment(), moment()], 'off')).toMatchObject({ sent: { length: 1 } });
  });
});
