import { describe, expect, it } from 'vitest';
import {
  type CapacityNotice,
  capacityMessage,
  newestReading,
  readCapacityMessage,
} from '../../../../shared/capacity/holds/message.ts';
import type { PodsReading } from '../../../../shared/capacity/pod-holds/pods-reading.ts';

const notice: CapacityNotice = {
  cause: 'looked',
  autoScalingGroupName: 'workers',
  noticedAt: '2026-11-24T12:00:00.000Z',
};
const sent = (changes: Partial<CapacityNotice> = {}) => capacityMessage({ ...notice, ...changes });
const body = (changes: object): string => JSON.stringify({ ...JSON.parse(sent().body), ...changes });

describe('the message about the capacity of a group', () => {
  it.each(['looked', 'asked'] as const)('is read as it was written: %s', (cause) => {
    const { body: text, groupId } = sent({ cause });
    expect(readCapacityMessage(text)).toEqual({
      kind: 'message',
      message: { subject: groupId, notice: { ...notice, cause }, reasonKey: cause, hop: 0 },
    });
  });

  it('has the time of the notice, and keeps its hop', () => {
    expect(JSON.parse(sent().body)).toMatchObject({ version: 1, hop: 0, sentAt: notice.noticedAt });
    expect(readCapacityMessage(body({ hop: 4 }))).toMatchObject({ message: { hop: 4 } });
  });

  it.each([
    ['work', { work: 'giving-back' }],
    ['hop', { hop: -1 }],
    ['sentAt', { sentAt: 'now' }],
    ['notice.cause', { notice: { ...notice, cause: 'dreamt' } }],
    ['notice.autoScalingGroupName', { notice: { ...notice, autoScalingGroupName: '' } }],
    ['notice.autoScalingGroupName', { notice: { ...notice, autoScalingGroupName: 'x'.repeat(256) } }],
    ['notice.noticedAt', { notice: { ...notice, noticedAt: 'now' } }],
  ])('is poison with a wrong %s', (field, changes) => {
    expect(readCapacityMessage(body(changes))).toEqual({
      kind: 'poison',
      reason: expect.stringContaining(field),
    });
  });

  it('has a result for each of 500 holds, with shorter reasons, so that ten groups go out at once', () => {
    const why = 'x'.repeat(900);
    const names = Array.from({ length: 500 }, (_, index) => `hold-${index}`);
    const reading = (some: readonly string[]): PodsReading => ({
      kind: 'read',
      readAt: Date.parse(notice.noticedAt),
      nodes: 10,
      holds: Object.fromEntries(some.map((name) => [name, { total: 9, open: 9, placed: 0, why }])),
    });
    const { body: text } = capacityMessage(notice, reading(names));
    expect(text.length).toBeLessThan(100_000);
    const read = readCapacityMessage(text);
    const holds = read.kind === 'message' ? newestReading([read.message.notice]) : undefined;
    expect(holds).toMatchObject({
      holds: Object.fromEntries(
        names.map((name) => [name, { total: 9, open: 9, placed: 0, why: expect.stringMatching(/^x+…$/) }]),
      ),
    });
    const few = readCapacityMessage(capacityMessage(notice, reading(names.slice(0, 3))).body);
    expect(few.kind === 'message' && newestReading([few.message.notice])).toEqual(reading(names.slice(0, 3)));
  });

  it('of the next version is newer', () => {
    expect(readCapacityMessage(body({ version: 2 }))).toEqual({ kind: 'newer', version: 2 });
  });

  it.each([
    ['its name', 'workers', 'workers'],
    ['its name without what SQS does not take', 'team/blue 1', 'team_2Fblue_201'],
    ['its name of 128 characters', 'x'.repeat(128), 'x'.repeat(128)],
    ['the digest of a longer name', 'x'.repeat(129), expect.stringMatching(/^[0-9a-f]{64}$/)],
  ])('is in the message group of its group: %s', (_, autoScalingGroupName, groupId) => {
    expect(sent({ autoScalingGroupName }).groupId).toEqual(groupId);
  });

  it('has another message group for another long name', () => {
    const [one, other] = ['a', 'b'].map(
      (end) => sent({ autoScalingGroupName: 'x'.repeat(200) + end }).groupId,
    );
    expect(one).not.toBe(other);
  });

  it('is dropped by SQS as a duplicate only if it is the same notice', () => {
    const later = { noticedAt: '2026-11-24T12:00:01.000Z' };
    const ids = [{}, { cause: 'asked' as const }, later, { autoScalingGroupName: 'other' }].map(
      (changes) => sent(changes).deduplicationId,
    );
    expect(new Set(ids).size).toBe(4);
    expect(sent().deduplicationId).toBe(ids[0]);
  });
});
