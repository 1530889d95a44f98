import { describe, expect, it } from 'vitest';
import {
  type GivingBackNotice,
  givingBackMessage,
  readGivingBack,
} from '../../../shared/passes/group-messages.ts';
import { leavingFormats } from '../../../shared/passes/leaving-message.ts';
import { readMessage } from '../../../shared/passes/message-format.ts';

const notice: GivingBackNotice = {
  cause: 'give-back',
  autoScalingGroupName: 'workers',
  noticedAt: '2026-11-24T12:00:00.000Z',
};
const sent = (changes: Partial<GivingBackNotice> = {}) => givingBackMessage({ ...notice, ...changes });
const body = (changes: object): unknown => ({ ...JSON.parse(sent().body), ...changes });

describe('the message about the empty nodes of a group', () => {
  it.each(['give-back', 'put-back'] as const)('is read as it was written: %s', (cause) => {
    const { body: text, groupId } = sent({ cause });
    expect(readMessage(text, { ...leavingFormats, 2: readGivingBack })).toEqual({
      kind: 'message',
      message: { subject: groupId, notice: { ...notice, cause }, reasonKey: cause, hop: 0 },
    });
  });

  it('is kept by a Drover that reads only version 1', () => {
    const { 1: first } = leavingFormats;
    if (!first) throw new Error('version 1 is not read');
    expect(readMessage(sent().body, { 1: first })).toEqual({ kind: 'newer', version: 2 });
  });

  it('was sent when it was noticed, and keeps its hop', () => {
    expect(JSON.parse(sent().body)).toMatchObject({ hop: 0, sentAt: notice.noticedAt });
    expect(readGivingBack(body({ hop: 4 }))).toMatchObject({ message: { hop: 4 } });
  });

  it.each([
    ['version', { version: 3 }],
    ['work', { work: 'capacity' }],
    ['hop', { hop: -1 }],
    ['sentAt', { sentAt: 'now' }],
    ['notice.cause', { notice: { ...notice, cause: 'keep' } }],
    ['notice.autoScalingGroupName', { notice: { ...notice, autoScalingGroupName: '' } }],
    ['notice.autoScalingGroupName', { notice: { ...notice, autoScalingGroupName: 'x'.repeat(256) } }],
    ['notice.noticedAt', { notice: { ...notice, noticedAt: 'now' } }],
  ])('is poison with a wrong %s', (field, changes) => {
    expect(readGivingBack(body(changes))).toEqual({
      kind: 'poison',
      reason: expect.stringContaining(field),
    });
  });

  it('has a message group of its own for each group, within the limits of SQS', () => {
    const names = ['workers', 'workers/2', 'x'.repeat(255)];
    const groupIds = names.map((autoScalingGroupName) => sent({ autoScalingGroupName }).groupId);
    expect(new Set(groupIds).size).toBe(3);
    for (const groupId of groupIds) expect(groupId).toMatch(/^giving-back-[0-9a-f]{32}$/);
  });

  it('is dropped by SQS as a duplicate only if it has the same notice', () => {
    const later = { noticedAt: '2026-11-24T12:00:01.000Z' };
    const ids = [{}, { cause: 'put-back' as const }, later, { autoScalingGroupName: 'other' }].map(
      (changes) => sent(changes).deduplicationId,
    );
    expect(new Set(ids).size).toBe(4);
    expect(sent().deduplicationId).toBe(ids[0]);
    expect(ids[0]).toMatch(/^\w{1,128}$/);
  });
});
