import { describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';

type Edit = NonNullable<Parameters<typeof createDroverWorld>[0]>['editWiring'];
type Wiring = Parameters<NonNullable<Edit>>[0];

const name = 'drover-dev-undelivered';
const topic = 'arn:aws:sns:eu-west-1:123456789012:drover-dev-alarms';

/** A world whose alarms have been evaluated, with one of them changed. */
async function evaluated(change: Partial<Wiring['alarms'][number]> = {}): Promise<DroverWorld> {
  const world = createDroverWorld({
    editWiring: (wiring) => ({
      ...wiring,
      alarms: wiring.alarms.map((alarm) => (alarm.alarmName === name ? { ...alarm, ...change } : alarm)),
    }),
  });
  world.alarms.start();
  await world.timeline.pass(61);
  return world;
}

const statesOf = (world: DroverWorld) =>
  world.alarms
    .history()
    .filter(({ alarm, before }) => alarm.alarmName === name && before !== 'INSUFFICIENT_DATA')
    .map(({ after, reason }) => `${after}: ${reason}`);

describe('drover test-alarm without a name', () => {
  it('lists the alarms of the deployment with whom they notify, and changes nothing', async () => {
    const world = await evaluated();
    const { code, out, err } = await operatorOf(world)('test-alarm --yes');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^ALARM +STATE +NOTIFIES +MEANING\n/);
    expect(out).toMatch(/^undelivered +OK +drover-dev-alarms +\S/m);
    expect(statesOf(world)).toEqual([]);
    const { alarms } = JSON.parse((await operatorOf(world)('test-alarm --json')).out);
    expect(alarms).toContainEqual(
      expect.objectContaining({ name, state: 'OK', actionsEnabled: true, actions: [topic] }),
    );
  });
});

describe('drover test-alarm ALARM', () => {
  it('sets it to ALARM as a test by the caller, sees that CloudWatch has published, and sets it back', async () => {
    const world = await evaluated();
    const { code, out, err } = await operatorOf(world)('test-alarm undelivered --yes');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`${topic}: CloudWatch has notified it\n${name}: set back to OK\n`);
    expect(statesOf(world)).toEqual([
      expect.stringMatching(
        /^ALARM: A test by arn:aws:iam::123456789012:user\/ana with drover test-alarm at /,
      ),
      expect.stringMatching(/^OK: The end of the test/),
    ]);
  });

  it.each(['--plan', '--json', ''])(
    'with %s only says who would be notified, and how to see pending ones',
    async (flags) => {
      const world = await evaluated();
      const { code, out } = await operatorOf(world)(`test-alarm ${name} ${flags}`.trim());
      expect(code).toBe(0);
      expect(out).toContain(topic);
      if (flags !== '--json') expect(out).toContain('list-subscriptions-by-topic --region eu-west-1');
      expect(statesOf(world)).toEqual([]);
    },
  );

  it('prints what was done as JSON', async () => {
    const world = await evaluated();
    const { out } = await operatorOf(world)('test-alarm undelivered --yes --json');
    expect(JSON.parse(out)).toMatchObject({
      done: true,
      alarm: { name, state: 'OK' },
      outcomes: [{ action: topic, outcome: 'published' }],
      returned: 'set-back',
    });
  });

  it('says why a topic of yours did not take it, and sets the alarm back all the same', async () => {
    const lost = 'arn:aws:sns:eu-west-1:123456789012:on-call';
    const world = await evaluated({ alarmActions: [topic, lost] });
    const { code, out, err } = await operatorOf(world)('test-alarm undelivered --yes');
    expect(code).toBe(1);
    expect(out).toContain(`${topic}: CloudWatch has notified it\n`);
    expect(out).toMatch(new RegExp(`${lost}: CloudWatch could not notify it: .+`));
    expect(err).toContain(`${name} does not reach ${lost}`);
    expect(world.alarms.stateOf(name)).toBe('OK');
  });

  it('never touches an alarm that is raised: no message would be sent, and its reason would be hidden', async () => {
    const world = await evaluated();
    const queue = world.account.sqs.controls.queueNames().find((one) => one.includes('UndeliveredQueue'));
    world.account.sqs.controls.send(queue ?? '', { MessageBody: '{}' });
    await world.timeline.until(() => world.alarms.stateOf(name) === 'ALARM', {
      withinSeconds: 900,
      what: 'the alarm',
    });
    const before = statesOf(world);
    const { code, err } = await operatorOf(world)('test-alarm undelivered --yes');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('is raised already') });
    expect(statesOf(world)).toEqual(before);
  });

  it('does not touch one that was raised while the question waited', async () => {
    const world = await evaluated();
    const run = operatorOf(world, { isTerminal: true, typed: ['yes'], onAwsCall: raiseAtSecond(world) });
    const { code, err } = await run('test-alarm undelivered');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('is raised already') });
    expect(statesOf(world)).toEqual(['ALARM: Threshold Crossed']);
  });

  it('leaves it in ALARM if CloudWatch raises it during the test', async () => {
    const world = await evaluated();
    const pause: OperatorOptions['pause'] = () => Promise.resolve();
    const raise = () => {
      if (world.alarms.stateOf(name) === 'ALARM') world.alarms.setState(name, 'ALARM', 'Threshold Crossed');
    };
    const { out } = await operatorOf(world, { pause, onAwsCall: raise })('test-alarm undelivered --yes');
    expect(out).toContain('so it stays in ALARM: this one is real');
    expect(world.alarms.stateOf(name)).toBe('ALARM');
  });

  it('is set back also after Ctrl-C', async () => {
    const world = await evaluated();
    let interrupt = (): void => {};
    const run = operatorOf(world, {
      onInterrupt: (listener) => {
        interrupt = listener;
        return () => undefined;
      },
      onAwsCall: () => world.alarms.stateOf(name) === 'ALARM' && interrupt(),
    });
    expect(await run('test-alarm undelivered --yes')).toMatchObject({ code: 130 });
    expect(world.alarms.stateOf(name)).toBe('OK');
  });

  it('tests an alarm without the right to read its history, and exits with 5', async () => {
    const world = await evaluated();
    const run = operatorOf(world, { actions: ['cloudwatch:DescribeAlarms', 'cloudwatch:SetAlarmState'] });
    const { code, out } = await run('test-alarm undelivered --yes');
    expect(code).toBe(5);
    expect(out).toMatch(/is not known: .*not authorized to perform: cloudwatch:DescribeAlarmHistory/);
    expect(statesOf(world)).toHaveLength(2);
  });

  it.each([
    ['notifies no one', { alarmActions: [] }],
    ['does more than notify someone', { alarmActions: ['arn:aws:automate:eu-west-1:ec2:terminate', topic] }],
  ])('is refused if it %s', async (words, change) => {
    const world = await evaluated(change);
    const { code, err } = await operatorOf(world)('test-alarm undelivered --yes');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(words) });
    expect(statesOf(world)).toEqual([]);
  });

  it('of a name with a letter wrong names the one that is meant', async () => {
    const { code, err } = await operatorOf(await evaluated())('test-alarm undeliverd --yes');
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('no alarm drover-dev-undeliverd: did you mean undelivered?'),
    });
  });
});

it('the sandbox sets an alarm back at its next evaluation, as CloudWatch does', async () => {
  const world = await evaluated();
  expect(world.alarms.setState(name, 'ALARM', 'a test')).toBe(true);
  expect(world.alarms.stateOf(name)).toBe('ALARM');
  await world.timeline.pass(61);
  expect(world.alarms.stateOf(name)).toBe('OK');
});

/** Raises the alarm once it has been described for the plan. */
function raiseAtSecond(world: DroverWorld): () => void {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === 2) world.alarms.setState(name, 'ALARM', 'Threshold Crossed');
  };
}
