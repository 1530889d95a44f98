import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { EventRefusedError } from '../../../shared/aws/event-bus.ts';
import { createLog } from '../../../shared/base/log.ts';
import { createMetrics } from '../../../shared/base/metrics.ts';
import type { Notification, OutgoingEvent } from '../../../shared/notifications/notification.ts';
import { createNotifier } from '../../../shared/runtime/notifier.ts';

const notification = (occurrence: string, message = 'node a leaves'): Notification => ({
  kind: 'node-leaving',
  occurrence,
  message,
  facts: {},
});

function notifierWith(put: (event: OutgoingEvent) => Promise<void>) {
  const clock = createVirtualClock();
  const lines: string[] = [];
  const host = { clock, writeLine: (line: string) => void lines.push(line) };
  const asked: OutgoingEvent[] = [];
  const notify = createNotifier({
    clock,
    clusterName: 'prod',
    put: (event) => {
      asked.push(event);
      return put(event);
    },
    log: createLog(host),
    metrics: createMetrics(host, 'prod'),
  });
  const pass = (milliseconds: number): void => {
    const until = clock.now() + milliseconds;
    while (clock.step(until));
    clock.moveTo(until);
  };
  return { notify, clock, pass, lines, asked };
}

const placesOf = (asked: readonly OutgoingEvent[]) =>
  asked.map(({ detail }) => [detail.repeats, /and \d+ more/.exec(detail.message)?.[0]]);

describe('a notifier', () => {
  it('marks all but the first event of a kind in a minute, and the next first one counts them', async () => {
    const { notify, pass, asked } = notifierWith(() => Promise.resolve());
    await Promise.all(['a', 'b', 'c'].map((one) => notify(notification(one))));
    await notify({ ...notification('d'), kind: 'node-gone' });
    pass(59_000);
    await notify(notification('e'));
    pass(1000);
    await notify(notification('f'));
    pass(60_000);
    await notify(notification('g'));
    expect(placesOf(asked)).toEqual([
      [undefined, undefined],
      [1, undefined],
      [2, undefined],
      [undefined, undefined],
      [3, undefined],
      [undefined, 'and 3 more'],
      [undefined, undefined],
    ]);
  });

  it('lets people get the next event if EventBridge refuses the first one', async () => {
    let calls = 0;
    const { notify, asked } = notifierWith(() => {
      calls += 1;
      return calls === 1
        ? Promise.reject(new EventRefusedError('no', { code: 'MalformedDetail' }))
        : Promise.resolve();
    });
    expect(await notify(notification('a'))).toBe('failed');
    expect(await notify(notification('b'))).toBe('sent');
    expect(placesOf(asked)).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('asks EventBridge once for each occurrence, and counts it', async () => {
    const { notify, lines, asked } = notifierWith(() => Promise.resolve());
    expect(await notify(notification('one'))).toBe('sent');
    expect(await notify(notification('one'))).toBe('sent');
    expect(await notify(notification('other'))).toBe('sent');
    expect(asked.map(({ detail }) => detail.id)).toEqual([
      'prod/node-leaving/one',
      'prod/node-leaving/other',
    ]);
    expect(lines.filter((line) => line.includes('"NotificationsSent":1'))).toHaveLength(2);
  });

  it('waits two seconds for an answer, and no longer', async () => {
    const { notify, clock, pass, lines } = notifierWith(() => new Promise(() => {}));
    const startedAt = clock.now();
    const result = notify(notification('one')).then((one) => [one, clock.now() - startedAt]);
    pass(1999);
    expect(lines).toEqual([]);
    pass(1);
    expect(await result).toEqual(['failed', 2000]);
    expect(lines.join()).toContain('no answer within 2 s');
    expect(lines.join()).toContain('"NotificationsFailed":1');
  });

  it('leaves EventBridge alone for a minute after a failure, and tries again then', async () => {
    const { notify, pass, asked } = notifierWith(() => Promise.reject(new Error('denied')));
    expect(await notify(notification('one'))).toBe('failed');
    pass(59_999);
    expect(await notify(notification('other'))).toBe('failed');
    expect(asked).toHaveLength(1);
    pass(1);
    await notify(notification('one'));
    expect(asked).toHaveLength(2);
  });

  it('puts no secret into an event', async () => {
    const { notify, asked } = notifierWith(() => Promise.resolve());
    await notify(notification('one', 'request of abcdef.0123456789abcdef is refused'));
    expect(asked[0]?.detail.message).toBe('prod: request of abcdef.(redacted) is refused');
  });

  it('puts no half of a secret into an event, where a text is cut through it', async () => {
    const { notify, asked } = notifierWith(() => Promise.resolve());
    const secret = 'abcdef.0123456789abcdef';
    await notify({
      ...notification('one', `${'m'.repeat(975)} ${secret}`),
      facts: { reasons: [`${'r'.repeat(285)} ${secret}`] },
    });
    expect(JSON.stringify(asked)).not.toContain('0123456');
  });

  it('sends all other events if EventBridge never accepts one of them', async () => {
    const refused = new EventRefusedError('malformed', { code: 'MalformedDetail' });
    const { notify, pass, asked } = notifierWith(({ detail }) =>
      detail.id.endsWith('bad') ? Promise.reject(refused) : Promise.resolve(),
    );
    expect(await notify(notification('bad'))).toBe('failed');
    expect(await notify(notification('good'))).toBe('sent');
    expect(await notify(notification('bad'))).toBe('failed');
    expect(asked).toHaveLength(2);
    pass(60_000);
    await notify(notification('bad'));
    expect(asked).toHaveLength(3);
  });

  it('pauses its calls if EventBridge throttles an event', async () => {
    const throttled = new EventRefusedError('throttled', { code: 'ThrottlingException' });
    const { notify, asked } = notifierWith(() => Promise.reject(throttled));
    await notify(notification('one'));
    await notify(notification('other'));
    expect(asked).toHaveLength(1);
  });

  it('asks again after a failure, where the clock has been set back since', async () => {
    let now = 1_000_000_000;
    let fails = true;
    const clock = { now: () => now, after: () => ({ cancel: () => undefined }) };
    const host = { clock, writeLine: () => undefined };
    const notify = createNotifier({
      clock,
      clusterName: 'prod',
      put: () => (fails ? Promise.reject(new Error('away')) : Promise.resolve()),
      log: createLog(host),
      metrics: createMetrics(host, 'prod'),
    });
    expect(await notify(notification('one'))).toBe('failed');
    now -= 3_600_000;
    fails = false;
    expect(await notify(notification('one'))).toBe('sent');
  });
});
