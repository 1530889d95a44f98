import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { type DigestParameter, tellDigest } from '../../../shared/digest/tell-digest.ts';
import type { Notification, NotificationResult } from '../../../shared/notifications/notification.ts';
import { hour, look, minute, problem, start } from './support.ts';

/** A parameter whose versions count as those of Parameter Store do, and a receiver. */
function deployment(answers: readonly NotificationResult[] = []) {
  const clock = createVirtualClock(start);
  const stored = { text: undefined as string | undefined, version: 0 };
  const sent: Notification[] = [];
  const left = [...answers];
  const parameter: DigestParameter = {
    read: () =>
      Promise.resolve(stored.text === undefined ? undefined : { text: stored.text, version: stored.version }),
    write: (text) => {
      stored.text = text;
      stored.version += 1;
      return Promise.resolve(stored.version);
    },
  };
  const notify = (notification: Notification): Promise<NotificationResult> => {
    const result = left.shift() ?? 'sent';
    if (result === 'sent') sent.push(notification);
    return Promise.resolve(result);
  };
  const context = { parameter, notify, clock };
  return {
    context,
    pass: (milliseconds: number): void => clock.moveTo(clock.now() + milliseconds),
    stored,
    sent,
    tell: (...names: string[]) => tellDigest(context, look(names.map((name) => problem(name)))),
  };
}

it('writes nothing while there are no problems', async () => {
  const { tell, stored } = deployment();
  expect(await tell()).toBe('nothing');
  expect(stored.version).toBe(0);
});

it('claims a digest, sends it, and remembers it; looks without a change write nothing', async () => {
  const { tell, stored, sent, pass } = deployment();
  expect(await tell('a')).toBe('sent');
  expect(stored.version).toBe(2);
  pass(15 * minute);
  expect(await tell('a')).toBe('nothing');
  expect(stored.version).toBe(2);
  expect(sent.map(({ message }) => message)).toEqual([
    '1 problem, 1 new: a (budget): it waits for held pods',
  ]);
});

describe('if EventBridge fails', () => {
  // Notifications that a webhook did not answer in time were never sent: aws/aws-node-termination-handler#534, #724.
  it('the next sweep sends the same digest, with the same id', async () => {
    const { context, tell, sent, pass } = deployment(['failed', 'failed']);
    const occurrences: string[] = [];
    const notify = (notification: Notification) => {
      occurrences.push(notification.occurrence);
      return context.notify(notification);
    };
    for (const expected of ['failed', 'failed', 'sent']) {
      expect(await tellDigest({ ...context, notify }, look([problem('a')]))).toBe(expected);
      pass(5 * minute);
    }
    expect(await tell('a')).toBe('nothing');
    expect(sent).toHaveLength(1);
    expect(new Set(occurrences).size).toBe(1);
  });

  it('and the problem ends meanwhile, its end is reported: the receivers may know of it', async () => {
    const { tell, sent, pass } = deployment(['failed']);
    await tell('a');
    pass(5 * minute);
    await tell();
    pass(2 * hour);
    expect(await tell()).toBe('sent');
    expect(sent.map(({ message }) => message)).toEqual([
      '1 problem; not seen now: a (budget)',
      'no problem any more; ended: a (budget)',
    ]);
  });
});

describe('a sweep that is killed', () => {
  const killed = () => Promise.reject(new Error('killed'));

  it('before EventBridge has the digest delays it until the claim has expired', async () => {
    const { context, tell, sent, pass } = deployment();
    await expect(tellDigest({ ...context, notify: killed }, look([problem('a')]))).rejects.toThrow('killed');
    pass(1 * minute);
    expect(await tell('a')).toBe('nothing');
    pass(4 * minute);
    expect(await tell('a')).toBe('sent');
    expect(sent).toHaveLength(1);
  });

  it('after EventBridge has the digest causes one too many, with the same id', async () => {
    const { context, tell, sent, pass } = deployment();
    let writes = 0;
    const write = (text: string) => (++writes === 2 ? killed() : context.parameter.write(text));
    const dying = { ...context, parameter: { ...context.parameter, write } };
    await expect(tellDigest(dying, look([problem('a')]))).rejects.toThrow('killed');
    pass(5 * minute);
    expect(await tell('a')).toBe('sent');
    expect(sent.map(({ occurrence }) => occurrence)).toEqual([sent[0]?.occurrence, sent[0]?.occurrence]);
  });
});

// A cluster of Alertmanagers sent one alert several times: prometheus/alertmanager#3283.
it('of two sweeps at the same time only one sends the digest', async () => {
  const { tell, sent, pass } = deployment();
  expect((await Promise.all([tell('a'), tell('a')])).toSorted()).toEqual(['claimed', 'sent']);
  pass(2 * hour);
  expect((await Promise.all([tell('a', 'b'), tell('a', 'b')])).toSorted()).toEqual(['claimed', 'sent']);
  pass(5 * minute);
  expect(await tell('a', 'b')).toBe('nothing');
  expect(sent).toHaveLength(2);
});

it.each(['', 'garbage', '[1,2]'])(
  'a parameter with the text %j is replaced, and its digest sent',
  async (text) => {
    const { tell, stored, sent, pass } = deployment();
    await tell('a');
    stored.text = text;
    pass(5 * minute);
    expect(await tell('a')).toBe('sent');
    expect(await tell('a')).toBe('nothing');
    expect(sent).toHaveLength(2);
  },
);

it('says in the message what is new, ended, of another severity, and not read', async () => {
  const { context, sent, pass } = deployment();
  await tellDigest(context, look([problem('a'), problem('b'), problem('c', { severity: 'critical' })]));
  pass(15 * minute);
  await tellDigest(context, look([problem('b'), problem('c')]));
  pass(2 * hour);
  await tellDigest(context, look([problem('b'), problem('c'), problem('d')], []));
  const many = Array.from({ length: 7 }, (_, index) => problem(`m${index}`));
  pass(2 * hour);
  await tellDigest(context, look([problem('b'), ...many], ['the alarms: no answer within 8 s']));
  pass(60 * hour);
  await tellDigest(context, look([]));
  pass(30 * hour);
  await tellDigest(context, look([]));
  expect(sent.map(({ message }) => message)).toEqual([
    '3 problems, 3 new: a (budget): it waits for held pods; b (budget): it waits for held pods; c (budget): it waits for held pods',
    '3 problems, 1 new: d (budget): it waits for held pods; with another severity: c (budget), now warning; ended: a (budget)',
    `10 problems, 7 new: ${many
      .slice(0, 5)
      .map(({ subject }) => `${subject} (budget): it waits for held pods`)
      .join(
        '; ',
      )}; and 2 more; not seen now: c (budget); d (budget); not read: the alarms: no answer within 8 s`,
    '8 problems; ended: c (budget); d (budget); not seen now: b (budget); m0 (budget); m1 (budget); m2 (budget); m3 (budget); and 3 more',
    'no problem any more; ended: b (budget); m0 (budget); m1 (budget); m2 (budget); m3 (budget); and 3 more',
  ]);
});
