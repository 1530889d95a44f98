import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { seenOf } from '../../../local/world/rolls.ts';
import { readRollMessage } from '../../../shared/roll/message.ts';
import { withSender } from '../../support/wiring.ts';
import { operatorOf } from '../operator.ts';
import { changeTemplate, rollMessages, turnRollsOn } from './support.ts';

const ana = 'arn:aws:iam::123456789012:user/ana';

type Wiring = Parameters<ReturnType<typeof withSender>>[0];

/** The messages of rolls stay in their queue. */
const unread = (wiring: Wiring): Wiring => ({
  ...wiring,
  eventSourceMappings: wiring.eventSourceMappings.filter(({ functionArn }) => !functionArn.endsWith('-roll')),
});

/** Two workers, both old. `ana` is the operator of the deployment. */
async function worldWith({
  editWiring = withSender(ana),
  ...options
}: Parameters<typeof createDroverWorld>[0] = {}): Promise<DroverWorld> {
  const world = createDroverWorld({ editWiring: (wiring) => unread(editWiring(wiring)), ...options });
  await withWorkers(world, { size: 2, settings: { MinSize: 0, MaxSize: 5 } });
  turnRollsOn(world);
  changeTemplate(world);
  return world;
}

const causesIn = (world: DroverWorld): readonly unknown[] =>
  rollMessages(world).map((body) => {
    const reading = readRollMessage(body);
    return reading.kind === 'message' ? reading.message.notice.cause : reading.kind;
  });

describe('a command about a roll', () => {
  it('wakes the function once it has changed something, and only then', async () => {
    const world = await worldWith();
    const drover = operatorOf(world);
    const sentBy = async (line: string): Promise<number> => {
      // A second message of the same moment is the same message.
      await world.timeline.pass(1);
      const before = rollMessages(world).length;
      expect((await drover(line)).err).toBe('');
      return rollMessages(world).length - before;
    };
    expect(await sentBy('roll workers --dry-run')).toBe(0);
    expect(await sentBy('roll workers')).toBe(1);
    expect(await sentBy('roll pause workers --dry-run')).toBe(0);
    expect(await sentBy('roll pause workers')).toBe(1);
    expect(await sentBy('roll pause workers')).toBe(0);
    expect(await sentBy('roll resume workers')).toBe(1);
    expect(await sentBy('roll abort workers')).toBe(1);
    expect(new Set(causesIn(world))).toEqual(new Set(['asked']));
  });

  it('has its roll seen within seconds', async () => {
    const world = createDroverWorld({ editWiring: withSender(ana) });
    await withWorkers(world, { size: 2, settings: { MinSize: 0, MaxSize: 5 } });
    changeTemplate(world);
    // Just after the scan of a minute.
    await world.timeline.pass(62 - ((world.clock.now() / 1000) % 60));
    await operatorOf(world)('roll workers');
    await world.timeline.pass(10);
    expect(seenOf(world, 'workers')?.state).toBe('running');
  });

  it('says that the pass comes within a minute if the policy of the queue denies the user', async () => {
    const world = await worldWith({ editWiring: (wiring) => wiring });
    const { code, out, err } = await operatorOf(world)('roll workers');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/roll status workers shows how far it is; the next pass comes within a minute\n$/);
    expect(rollMessages(world)).toEqual([]);
  });

  it.each(['events:ListRules', 'sqs:ListQueues', 'sqs:SendMessage'])(
    'does the same without %s',
    async (right) => {
      const world = await worldWith();
      await operatorOf(world)('roll workers');
      const rights = ['ssm:*', 'events:ListRules', 'sqs:ListQueues', 'sqs:SendMessage'];
      const drover = operatorOf(world, { actions: rights.filter((one) => one !== right) });
      expect(await drover('roll pause workers')).toEqual({
        code: 0,
        out: 'roll workers pauses: no further node is replaced, and one that leaves goes on; the next pass comes within a minute\n',
        err: '',
      });
    },
  );

  it('warns if SQS fails, and the change is made', async () => {
    const world = await worldWith({
      weather: {
        strike: ({ what }) =>
          what === 'sqs ListQueues'
            ? {
                kind: 'aws-error',
                error: new AwsError({ code: 'ValidationError', message: 'not today', statusCode: 400 }),
              }
            : undefined,
      },
    });
    expect(await operatorOf(world)('roll workers')).toMatchObject({
      code: 0,
      err: 'warning: the function roll could not be woken: not today\n',
    });
  });
});
