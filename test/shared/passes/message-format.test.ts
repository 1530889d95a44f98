import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leavingFormats, leavingMessage, reasonKeyOf } from '../../../shared/passes/leaving-message.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
import {
  hopOf,
  type MessageFormat,
  readMessage,
  renewedBody,
} from '../../../shared/passes/message-format.ts';
import { readLeavingMessage } from '../../support/read-leaving-message.ts';

const notice: LeavingNotice = {
  cause: 'terminating',
  instanceId: 'i-0a1b2c3d4e5f60718',
  noticedAt: '2026-11-20T09:14:07.000Z',
  hook: {
    autoScalingGroupName: 'workers',
    lifecycleHookName: 'drover-node-leaving',
    lifecycleActionToken: 't-1',
  },
};
const spot: LeavingNotice = {
  cause: 'spot-interruption',
  instanceId: notice.instanceId,
  noticedAt: '2026-11-20T09:14:07.000Z',
  deadline: '2026-11-20T09:16:07.000Z',
};
const body = leavingMessage(notice, '2026-11-20T09:14:08.000Z').body;

describe('a queue message', () => {
  it('is read as it was written', () => {
    expect(readLeavingMessage(body)).toEqual({
      kind: 'message',
      message: { subject: notice.instanceId, notice, reasonKey: reasonKeyOf(notice), hop: 0 },
    });
  });

  it('of the next version is newer, whatever else it contains', () => {
    const newer = JSON.stringify({ version: 4, work: 'node-departing', hop: 3, who: {} });
    expect(readLeavingMessage(newer)).toEqual({ kind: 'newer', version: 4 });
  });

  it('about the end of a scheduled change is kept by a Drover that does not know this cause', () => {
    const end = { ...notice, cause: 'change-ended' } as const;
    const { body: text } = leavingMessage(end, '2026-11-20T09:14:08.000Z');
    expect(readLeavingMessage(text)).toMatchObject({ kind: 'message', message: { notice: end } });
    const { 1: first } = leavingFormats;
    if (!first) throw new Error('version 1 is not read');
    expect(readMessage(text, { 1: first })).toMatchObject({ kind: 'newer' });
  });

  it('of this version can be read by the next version of the program', () => {
    const readVersionTwo: MessageFormat<LeavingNotice> = () => ({ kind: 'poison', reason: 'not asked' });
    expect(readMessage(body, { ...leavingFormats, 2: readVersionTwo }).kind).toBe('message');
  });

  it.each([
    ['invalid JSON', 'hello', '(the whole)'],
    ['no version', '{}', 'version'],
    ['an empty version', '{"version":0}', 'version'],
    ['another work', JSON.stringify({ ...JSON.parse(body), work: 'cook' }), 'work'],
    [
      'an invalid instance id',
      leavingMessage({ ...notice, instanceId: 'i-x' }, notice.noticedAt).body,
      'notice.instanceId',
    ],
  ])('with %s is poison, by the field', (_, text, field) => {
    expect(readLeavingMessage(text)).toMatchObject({
      kind: 'poison',
      reason: expect.stringContaining(field),
    });
  });

  it('never makes the parser throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['message', 'newer', 'poison']).toContain(readLeavingMessage(text).kind);
      }),
    );
  });
});

describe('a deduplication id', () => {
  const deduplicationIdOf = (of: LeavingNotice) => leavingMessage(of, of.noticedAt).deduplicationId;

  it('is the same for one wait, even from different sources with different times', () => {
    const again = { ...notice, noticedAt: '2026-11-20T09:14:06.905Z' };
    expect(deduplicationIdOf(again)).toBe(deduplicationIdOf(notice));
  });

  it('differs for another reason, another wait and another time of an event without a token', () => {
    const other = { ...notice, hook: { ...notice.hook, lifecycleActionToken: 't-2' } } as LeavingNotice;
    const later = { ...spot, noticedAt: '2026-11-20T09:15:07.000Z' };
    expect(new Set([notice, spot, other, later].map(deduplicationIdOf)).size).toBe(4);
  });

  it('has the form that SQS accepts', () => {
    expect(deduplicationIdOf(notice)).toMatch(/^[\w-]{1,128}$/);
  });
});

describe('the reason of a notice', () => {
  it('is different if the notice names the Node, so that a notice without a name does not absorb it', () => {
    const gone: LeavingNotice = { ...notice, cause: 'instance-gone' };
    const named = { ...gone, nodeName: 'node-1' };
    expect(reasonKeyOf(named)).not.toBe(reasonKeyOf(gone));
    expect(reasonKeyOf({ ...named, noticedAt: '2026-11-21T09:00:00.000Z' })).toBe(reasonKeyOf(named));
  });
});

describe('the renewal of a message', () => {
  it('changes only the hop, also in versions that this program cannot read', () => {
    const newer = JSON.stringify({ version: 9, hop: 4, unknown: { kept: true } });
    expect(JSON.parse(renewedBody(newer, hopOf(newer) + 1))).toEqual({
      version: 9,
      hop: 5,
      unknown: { kept: true },
    });
    expect(hopOf('{"version":9}')).toBe(0);
  });
});
