import { describe, expect, it } from 'vitest';
import { leavingMessage } from '../../../../shared/passes/leaving-message.ts';
import type { LeavingNotice } from '../../../../shared/passes/leaving-notice.ts';
import {
  groupRecords,
  type QueueRecord,
  sortGroup,
  tightestDeadline,
} from '../../../../shared/passes/queue/batch.ts';
import { instanceId, notice, record } from '../../../support/queue-lines.ts';
import { readLeavingMessage } from '../../../support/read-leaving-message.ts';

const asking = (messageId: string, parts: Partial<LeavingNotice> = {}, of: Partial<QueueRecord> = {}) =>
  record({ messageId, body: leavingMessage(notice(parts), notice().noticedAt).body, ...of });
const sorted = (...records: readonly QueueRecord[]) => sortGroup(records, readLeavingMessage);
const ids = (items: readonly { readonly record: QueueRecord }[]) =>
  items.map((item) => item.record.messageId);

describe('the records of a batch', () => {
  it('are grouped by subject in the order of arrival; each record without a group is its own group', () => {
    const { groupId: _, ...alone } = record({ messageId: 'c' });
    const groups = groupRecords([
      record({ messageId: 'a', groupId: 'x' }),
      record({ messageId: 'b', groupId: 'y' }),
      alone,
      { ...alone, messageId: 'd' },
      record({ messageId: 'e', groupId: 'x' }),
    ]);
    expect(groups.map((group) => group.map(({ messageId }) => messageId))).toEqual([
      ['a', 'e'],
      ['b'],
      ['c'],
      ['d'],
    ]);
  });
});

describe('the messages of a subject', () => {
  it('are one pass with every reason, and the tightest deadline among them', () => {
    const group = sorted(
      asking('a'),
      asking('b', { cause: 'scheduled-change', deadline: '2026-12-05T10:00:00.000Z' }),
      asking('c', { cause: 'spot-interruption', deadline: '2026-11-21T07:02:00.000Z' }),
    );
    expect(group.subject).toMatchObject({ id: instanceId, deadline: Date.parse('2026-11-21T07:02:00.000Z') });
    expect(group.subject?.notices.map(({ cause }) => cause)).toEqual([
      'terminating',
      'scheduled-change',
      'spot-interruption',
    ]);
    expect(group.absorbed).toEqual([]);
  });

  it('with the same reason become the earliest notice, in any order', () => {
    const late = asking('late', { noticedAt: '2026-11-21T06:59:30.000Z' });
    const early = asking('early', { noticedAt: '2026-11-21T06:58:30.000Z' });
    for (const group of [sorted(late, early), sorted(early, late)]) {
      expect(ids(group.asking)).toEqual(['early']);
      expect(ids(group.absorbed)).toEqual(['late']);
    }
  });

  it('that are a message and its copy become the copy, which was received less often', () => {
    const old = asking('old', {}, { receiveCount: 900 });
    const copy = asking('copy', {}, { receiveCount: 1 });
    for (const group of [sorted(old, copy), sorted(copy, old)]) expect(ids(group.asking)).toEqual(['copy']);
  });

  it('are marked as redelivered if one of them was received before', () => {
    const again = asking('again', { cause: 'spot-interruption' }, { receiveCount: 2 });
    expect(sorted(asking('first')).subject?.redelivered).toBe(false);
    expect(sorted(asking('first'), again).subject?.redelivered).toBe(true);
  });

  it('without a deadline have none', () => {
    expect(sorted(asking('a')).subject).not.toHaveProperty('deadline');
    expect(tightestDeadline([])).toBeUndefined();
  });

  it('that are newer or poison are set aside, each with its reason, and are not passed on', () => {
    const group = sorted(
      record({ messageId: 'newer', body: '{"version":4}' }),
      record({ messageId: 'poison', body: '{"version":0}' }),
    );
    expect(group).not.toHaveProperty('subject');
    expect(group.newer.map(({ messageId }) => messageId)).toEqual(['newer']);
    expect(group.poison).toMatchObject([{ record: { messageId: 'poison' }, reason: /version/ }]);
  });

  it('in the group of another subject are poison, because two passes could run at once', () => {
    const group = sorted(asking('astray', {}, { groupId: 'i-0fffffffffffffff0' }));
    expect(group.poison).toMatchObject([{ record: { messageId: 'astray' }, reason: /another subject/ }]);
    expect(group.asking).toEqual([]);
  });

  it('of a standard queue, which has no groups, are accepted with any subject', () => {
    const { groupId: _, ...bare } = asking('a');
    expect(ids(sorted(bare).asking)).toEqual(['a']);
  });
});
