import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SampleName, samplePlace, samples, sampleText } from '../../../../events/index.ts';
import { readInvocation } from '../../../../shared/intake/arrivals.ts';
import { readEventText } from '../../../../shared/intake/events/read-event.ts';

type Event = Readonly<Record<string, unknown>>;

const names = Object.keys(samples) as SampleName[];
const events = names
  .map((name): readonly [SampleName, Event] => [name, JSON.parse(sampleText(name)) as Event])
  .filter(([, event]) => 'detail-type' in event);

/** What Drover reads if a topic delivers the text to the inbox. */
const byTopic = (Message: string) =>
  readEventText(JSON.stringify({ Type: 'Notification', TopicArn: 'arn:aws:sns:::t', Message }), samplePlace);

/** What Drover reads if a topic invokes the function. */
function byInvocation(Message: string) {
  const invocation = readInvocation({ Records: [{ EventSource: 'aws:sns', Sns: { Message } }] });
  if (invocation.kind !== 'direct') throw new Error(invocation.kind);
  return readEventText(invocation.texts[0] ?? '', samplePlace);
}

const lifecycleActions = ['EC2 Instance-launch Lifecycle Action', 'EC2 Instance-terminate Lifecycle Action'];

const isLifecycleAction = (event: Event): boolean =>
  event['source'] === 'aws.autoscaling' && lifecycleActions.includes(String(event['detail-type']));

describe.each([
  ['delivers', byTopic],
  ['invokes the function with', byInvocation],
])('a topic that %s a whole event', (_, read) => {
  it.each(events.filter(([, event]) => isLifecycleAction(event)))(
    'reads the lifecycle action %s as EventBridge delivers it',
    (name) => {
      expect(read(sampleText(name))).toEqual(readEventText(sampleText(name), samplePlace));
    },
  );

  it.each([
    ['spot-interruption-terminate', 'aws.ec2'],
    ['rebalance-recommendation', 'aws.ec2'],
    ['capacity-reservation-interruption', 'aws.ec2'],
    ['state-change-terminated', 'aws.ec2'],
    ['health-retirement', 'aws.health'],
    ['health-closed', 'aws.health'],
  ] as const)('refuses %s, and names the source and the remedy', (name, source) => {
    const meaning = read(sampleText(name));
    if (meaning.kind !== 'malformed') throw new Error(`${name} reads as ${meaning.kind}`);
    expect(meaning.what).toContain(source);
    expect(meaning.error.message).toMatch(
      new RegExp(`^source: ${source}, .*parked in the dead-letter queue: .* rule of EventBridge`),
    );
  });
});

describe('whatever a topic delivers,', () => {
  const odd = (text: string) =>
    fc.oneof(
      fc.constantFrom(
        text.toUpperCase(),
        ` ${text}`,
        `${text}.`,
        `${text}\u0000`,
        text.replace('.', '/'),
        text.repeat(20),
      ),
      fc.constantFrom(undefined, null, 7, [text], { text }, ''),
    );
  const event = fc.constantFrom(...events.map(([, one]) => one)).chain((one) =>
    fc
      .record({
        source: fc.oneof(
          fc.constant(one['source']),
          odd(String(one['source'])),
          fc.constantFrom('aws.autoscaling', 'aws.ec2', 'aws.health'),
        ),
        'detail-type': fc.oneof(
          fc.constant(one['detail-type']),
          odd(String(one['detail-type'])),
          fc.constantFrom(...events.map(([, other]) => other['detail-type'])),
        ),
        LifecycleTransition: fc.constantFrom(undefined, 'autoscaling:EC2_INSTANCE_TERMINATING'),
      })
      .map((fields) => ({ ...one, ...fields })),
  );

  it('only lifecycle actions of Auto Scaling wake a pass, and everything else is parked or has a reason', () => {
    fc.assert(
      fc.property(event, fc.boolean(), (one, twice) => {
        const text = JSON.stringify(one);
        const wrapped = twice ? JSON.stringify({ Type: 'Notification', Message: text }) : text;
        for (const meaning of [byTopic(wrapped), byInvocation(wrapped)]) {
          const wakes = meaning.kind === 'leaving' || meaning.kind === 'joining';
          if (wakes) expect(isLifecycleAction(one)).toBe(true);
          if (wakes && meaning.kind === 'leaving')
            expect(meaning.notices.map(({ cause }) => cause)).toEqual(['terminating']);
          if (meaning.kind === 'malformed') expect(meaning.error.remedy).not.toBe('');
          if (meaning.kind === 'ignored') expect(meaning.reason).not.toBe('');
        }
      }),
      { numRuns: 500 },
    );
  });
});
