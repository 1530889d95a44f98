import { beforeEach, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import { withSender } from '../../support/wiring.ts';
import { createKeyboard } from '../keyboard.ts';
import { operatorOf } from '../operator.ts';

const ana = 'arn:aws:iam::123456789012:user/ana';
const bodies = Array.from({ length: 25 }, (_, index) => `message ${index}`).toSorted();
let world: DroverWorld;
let onCall: (what: string) => void;

beforeEach(() => {
  onCall = () => undefined;
  const strike = ({ what }: { readonly what: string }) => {
    onCall(what);
    return undefined;
  };
  world = createDroverWorld({ editWiring: withSender(ana), weather: { strike } });
  for (const [index, MessageBody] of bodies.entries())
    world.account.sqs.controls.send(queueNamed('CapacityDeadLetterQueue'), {
      MessageBody,
      MessageGroupId: `group-${index}`,
      MessageDeduplicationId: `${index}`,
    });
});

const queueNamed = (part: string): string =>
  world.account.sqs.controls.queueNames().find((name) => name.includes(`-${part}`)) ?? '';
const messagesIn = (part: string) => world.account.sqs.controls.peek(queueNamed(part));
const bodiesIn = (...parts: readonly string[]): readonly string[] =>
  parts.flatMap((part) => messagesIn(part).map(({ body }) => body)).toSorted();
const pause = () => Promise.resolve();
const messagesOf = (out: string): readonly object[] =>
  (JSON.parse(out) as { readonly messages: readonly object[] }).messages;

describe('drover redrive beside another one, or ended half-way', () => {
  it('moves each message once if two run at the same time', async () => {
    const run = () => operatorOf(world, { pause })('redrive capacity --json');
    const answers = await Promise.all([run(), run()]);
    for (const { code, err } of answers) expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(answers.flatMap(({ out }) => messagesOf(out))).toHaveLength(bodies.length);
    expect(bodiesIn('CapacityDeadLetterQueue')).toEqual([]);
    expect(bodiesIn('CapacityQueue')).toEqual(bodies);
  });

  it('says after Ctrl-C what was moved; the rest stays parked and is shown again at once', async () => {
    const { onInterrupt, pressCtrlC } = createKeyboard();
    let sent = 0;
    onCall = (what) => {
      sent += what.endsWith('SendMessage') ? 1 : 0;
      if (sent === 3) pressCtrlC();
    };
    const { code, out, err } = await operatorOf(world, { pause, onInterrupt })('redrive capacity --json');
    expect(code).toBe(130);
    expect(err).toMatch(/\ndrover: interrupted: what was not moved stays parked\n$/);
    const moved = { state: 'moved' };
    expect(JSON.parse(out)).toMatchObject({ left: null, messages: [moved, moved, moved] });
    const parked = messagesIn('CapacityDeadLetterQueue');
    expect(parked.map(({ state }) => state)).toEqual(Array.from({ length: 22 }, () => 'visible'));
    expect(bodiesIn('CapacityQueue', 'CapacityDeadLetterQueue')).toEqual(bodies);
  });

  it('has each message in one queue if Ctrl-C comes between sending it and deleting it', async () => {
    const { onInterrupt, pressCtrlC } = createKeyboard();
    onCall = (what) => {
      if (what.endsWith('DeleteMessage')) pressCtrlC();
    };
    const { out, err } = await operatorOf(world, { pause, onInterrupt })('redrive capacity --json');
    expect(err).toContain('what was not moved stays parked');
    expect(messagesOf(out)).toHaveLength(1);
    expect(bodiesIn('CapacityQueue', 'CapacityDeadLetterQueue')).toEqual(bodies);
  });
});
