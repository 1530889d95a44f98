import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventOf, idOf, type Notification } from '../../../shared/notifications/notification.ts';

const now = Date.parse('2026-11-24T10:00:00Z');
const notification: Notification = {
  kind: 'drain-held',
  occurrence: 'uid-1/2026-11-24T09:50:00.000Z',
  message: 'node a waits',
  facts: { instanceId: 'i-0a1b2c3d4e5f60718', nodeName: 'a' },
};
const eventWith = (changes: Partial<Notification>) =>
  eventOf({ ...notification, ...changes }, { clusterName: 'prod', now });

describe('the event of a notification', () => {
  it('has everything that a receiver needs', () => {
    expect(eventWith({})).toEqual({
      source: 'drover',
      detailType: 'Drover Drain Held',
      time: new Date(now),
      detail: {
        version: 1,
        id: 'prod/drain-held/uid-1/2026-11-24T09:50:00.000Z',
        cluster: 'prod',
        kind: 'drain-held',
        severity: 'warning',
        message: 'prod: node a waits',
        instanceId: 'i-0a1b2c3d4e5f60718',
        nodeName: 'a',
      },
    });
  });

  it('is the same in each pass that sees the same thing, and different for each cluster, kind and occurrence', () => {
    const ids = [
      idOf('prod', notification),
      idOf('test', notification),
      idOf('prod', { ...notification, kind: 'node-gone' }),
      idOf('prod', { ...notification, occurrence: 'uid-2' }),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(eventWith({ message: 'node a still waits' }).detail.id).toBe(ids[0]);
  });

  it('holds no character that an input transformer, an e-mail or a chat reads as markup, and no line break', () => {
    const message = 'a "b" \\ <!channel> & c\r\n\u2028d\u202Ee';
    const { detail } = eventWith({ message, facts: { reasons: [message] } });
    expect(detail.message).toBe("prod: a 'b' / (!channel) + c d e");
    expect(detail.reasons).toEqual(["a 'b' / (!channel) + c d e"]);
  });

  it('mentions no people, and has no link, picture or code of a chat', () => {
    const message = '@all <@U1> [open](https://a.example) ![p](https://b.example) `x`';
    expect(eventWith({ message }).detail.message).toBe(
      "prod: (at)all ((at)U1) (open)(https:(//)a(.)example) !(p)(https:(//)b(.)example) 'x'",
    );
  });

  it.each([
    ['https://evil.example/login?next=/drover', 'https:(//)evil(.)example/login?next=/drover'],
    ['evil.example', 'evil(.)example'],
    ['WWW.Evil.EXAMPLE.', 'WWW(.)Evil(.)EXAMPLE(.)'],
    ['пример.рф', 'пример(.)рф'],
    ['evil.xn--p1ai', 'evil(.)xn--p1ai'],
    ['a@evil.example', 'a(at)evil(.)example'],
    ['MailTo:a@b.example', 'MailTo(:)a(at)b(.)example'],
    ['javascript:alert(1)', 'javascript(:)alert(1)'],
    ['drover.dev.evil.example', 'drover(.)dev(.)evil(.)example'],
    ['kubernetes.io.evil.io', 'kubernetes(.)io(.)evil(.)io'],
  ])('has no link to %s', (name, written) => {
    expect(eventWith({ message: `not ${name}, no` }).detail.message).toBe(`prod: not ${written}, no`);
  });

  it.each([
    'ip-10-0-1-17.eu-west-1.compute.internal',
    'i-0a1b2c3d4e5f60718',
    '10.0.1.17 and 1.5 GiB',
    '2026-11-24T10:20:00.000Z at the latest',
    'tag drover.dev/max-leaving of node.kubernetes.io/role',
    'the end. The next',
    'csr-x7k2p of system:node:a',
  ])('keeps %s', (text) => {
    expect(eventWith({ message: text }).detail.message).toBe(`prod: ${text}`);
  });

  it('has no scheme and no domain name, whatever is in it', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('h', 'http', '://', '.', 'com', '@', '<', '-', '\u200b', 'é', '/', '1', ' '),
    });
    fc.assert(
      fc.property(hostile, (message) => {
        const line = eventWith({ message }).detail.message;
        expect(line).not.toContain('://');
        expect(line).not.toMatch(/[\p{L}\p{N}]\.com(?![\p{L}\p{N}-])/u);
      }),
    );
  });

  it('says how many of its kind came before it, within its length', () => {
    const context = { clusterName: 'prod', now, unseen: 12 };
    const { detail } = eventOf({ ...notification, message: 'm'.repeat(2000) }, context);
    expect(detail.message).toHaveLength(1000);
    expect(detail.message).toMatch(/m… \(and 12 more of this kind before it\)$/);
    expect(detail).not.toHaveProperty('repeats');
    expect(eventOf(notification, { ...context, unseen: 0, repeats: 3 }).detail.repeats).toBe(3);
  });

  it('is bounded: a message of 1,000 characters, ten reasons of 300', () => {
    const reasons = Array.from({ length: 11 }, () => 'r'.repeat(301));
    const { detail } = eventWith({ message: 'm'.repeat(2000), facts: { reasons } });
    expect(detail.message).toHaveLength(1000);
    expect(detail.message.endsWith('m…')).toBe(true);
    expect(detail.reasons).toHaveLength(10);
    expect(detail.reasons?.[0]).toBe(`${'r'.repeat(299)}…`);
    const short = eventWith({ message: 'm'.repeat(994), facts: { reasons: ['r'.repeat(300)] } }).detail;
    expect(short.message).toBe(`prod: ${'m'.repeat(994)}`);
    expect(short.reasons).toEqual(['r'.repeat(300)]);
  });

  it('is never cut through a character, and has no half of one', () => {
    const message = `${'m'.repeat(992)}\u{1F600}m`;
    expect(eventWith({ message }).detail.message).toBe(`prod: ${'m'.repeat(992)}…`);
    expect(eventWith({ message: `a \uD83D b` }).detail.message).toBe('prod: a \uFFFD b');
    expect(eventWith({ message: `${'m'.repeat(991)}\u{1F600}mm` }).detail.message).toBe(
      `prod: ${'m'.repeat(991)}\u{1F600}…`,
    );
  });

  it('keeps names as they are, and bounds a name from outside', () => {
    const { detail } = eventWith({
      facts: { autoScalingGroupName: 'a "b" <c>', nodeName: 'n'.repeat(5000), cause: 'x\uDC00' },
    });
    expect(detail).toMatchObject({
      autoScalingGroupName: 'a "b" <c>',
      nodeName: `${'n'.repeat(299)}…`,
      cause: 'x\uFFFD',
    });
  });

  it('takes less than a tenth of the limit of PutEvents for ten events', () => {
    const text = '漢'.repeat(5000);
    const facts = {
      autoScalingGroupName: text,
      instanceId: text,
      nodeName: text,
      cause: text,
      deadline: text,
      reasons: Array.from({ length: 20 }, () => text),
    };
    const { detail } = eventWith({ message: text, facts });
    expect(Buffer.byteLength(JSON.stringify(detail))).toBeLessThan((256 * 1024) / 10);
  });
});
