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

  it.each([
    { ...message, work: 'node-leaving' },
    { ...message, notice: { ...notice, cause: 'bored' } },
    { ...message, notice: { ...notice, instanceId: 'i-1' } },
    { ...message, hop: -1 },
  ])('with other content is poison: %#', (body) => {
    expect(readEtcdMessage(JSON.stringify(body)).kind).toBe('poison');
  });
});
