import { describe, expect, it } from 'vitest';
import { etcdMessage, readEtcdMessage } from '../../../shared/etcd/message.ts';

const notice = {
  cause: 'terminating',
  domain: 'etcd.example.internal',
  noticedAt: '2026-11-21T20:05:44.123Z',
  instanceId: 'i-0123456789abcdef0',
} as const;
const message = etcdMessage(notice, notice.noticedAt);

describe('a message of the etcd queue', () => {
  it('is read back as written, with the zone as its subject', () => {
    expect(readEtcdMessage(JSON.stringify(message))).toMatchObject({
      kind: 'message',
      message: { subject: notice.domain, notice, hop: 0 },
    });
  });

  it('of an older version, which names no warning, is read, and an older version reads what it knows of one', () => {
    const taken = { ...notice, cause: 'taken', deadline: '2026-11-21T20:07:44.000Z' } as const;
    const spot = { ...taken, warning: 'spot-interruption', spotOnly: true } as const;
    for (const one of [taken, { ...taken, spotOnly: true } as const, spot])
      expect(readEtcdMessage(JSON.stringify(etcdMessage(one, one.noticedAt)))).toMatchObject({
        message: { notice: one },
      });
    expect(etcdMessage(spot, spot.noticedAt).version).toBe(1);
  });

  it('about a warning has a reason of its own for each kind and time, so that a forged one absorbs no real one', () => {
    const taken = { ...notice, cause: 'taken', deadline: '2026-11-21T20:07:44.000Z' } as const;
    const keys = [
      { ...taken, warning: 'spot-interruption', spotOnly: true } as const,
      { ...taken, warning: 'capacity-reservation' } as const,
      { ...taken, warning: 'capacity-reservation', deadline: '2026-11-21T20:05:45.000Z' } as const,
    ].map((one) => {
      const reading = readEtcdMessage(JSON.stringify(etcdMessage(one, one.noticedAt)));
      return reading.kind === 'message' ? reading.message.reasonKey : reading.kind;
    });
    expect(new Set(keys).size).toBe(3);
  });

  it.each([
    { ...message, work: 'node-leaving' },
    { ...message, notice: { ...notice, cause: 'bored' } },
    { ...message, notice: { ...notice, instanceId: 'i-1' } },
    { ...message, hop: -1 },
  ])('with other content is poison: %#', (body) => {
    expect(readEtcdMessage(JSON.stringify(body)).kind).toBe('poison');
  });
});
