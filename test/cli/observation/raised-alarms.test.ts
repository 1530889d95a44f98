import { describe, expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { raisedOf, stagesOf } from '../../../shared/problems/alarm-problems.ts';
import { alarmNames } from '../../../shared/problems/kinds.ts';
import { operatorOf } from '../operator.ts';
import { startUi } from '../ui/start-ui.ts';

/** A deployment whose sweep has not run for as long as its alarm waits: nothing but the alarm shows it. */
async function withoutSweep() {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  world.alarms.start();
  // Silence alarms until each function has run once.
  await world.timeline.pass(3700);
  world.account.events.operations.DisableRule({ Name: 'drover-dev-sweep' });
  await world.timeline.until(() => world.alarms.stateOf('drover-dev-sweep-missing') !== 'OK', {
    withinSeconds: 1200,
    what: 'the alarm',
  });
  return world;
}

const missingSweep = { kind: 'not-running', subject: 'sweep-missing', alarm: 'sweep-missing' };

describe('an alarm whose condition only CloudWatch knows', () => {
  it('is a problem of its kind for drover status, drover doctor and drover ui', async () => {
    const world = await withoutSweep();
    const { code, out } = await operatorOf(world)('status --json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ problems: [missingSweep], missing: [], notLookedAt: [] });
    const doctor = JSON.parse((await operatorOf(world)('doctor --json')).out) as { problems: object[] };
    expect(doctor.problems).toMatchObject([missingSweep]);
    expect((await (await startUi(world)).state()).problems).toMatchObject([missingSweep]);
  });

  it('is not a problem yet on a new deployment, in which nothing can have run', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    world.alarms.start();
    await world.timeline.pass(120);
    expect(world.alarms.stateOf('drover-dev-bootstrap-credential-missing')).toBe('ALARM');
    const { code, out } = await operatorOf(world)('status --json');
    expect({ code, problems: (JSON.parse(out) as { problems: object[] }).problems }).toEqual({
      code: 0,
      problems: [],
    });
  });

  it('is not taken for absent by who may not describe alarms: status could not look', async () => {
    const world = await withoutSweep();
    const actions = ['autoscaling:*', 'ec2:*', 'sqs:*', 'ssm:*', 'scheduler:*'];
    const { code, out, err } = await operatorOf(world, { actions })('status');
    expect({ code, err }).toEqual({ code: 5, err: 'drover: 1 source could not be read\n' });
    expect(out).toMatch(/the alarms.*not authorized to perform: cloudwatch:DescribeAlarms/);
    const ui = await (await startUi(world, 'ui', { actions })).state();
    expect(ui.unknown.map(({ what }) => what)).toContain('the alarms');
  });
});

it('status --stage of a deployment that does not exist could not look at its alarms', async () => {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  const { code, out } = await operatorOf(world)('status --stage prdo');
  expect(code).toBe(5);
  expect(out).toContain('there are no alarms of stage prdo');
});

describe('the alarms of a stage', () => {
  const alarm = (name: string, isRaised = true) => ({ name, description: '', isRaised, since: 1 });

  it('are those that are raised, without those of a stage whose name begins the same way', () => {
    const alarms = [
      alarm('drover-dev-pass-age'),
      alarm('drover-dev-throttles', false),
      alarm('drover-dev-two-pass-age'),
      alarm('drover-dev-of-our-own'),
      alarm('drover-prod-pass-age'),
    ];
    expect(raisedOf(alarms, 'drover-dev-').map(({ name }) => name)).toEqual(['pass-age', 'of-our-own']);
    expect(stagesOf(alarms)).toEqual(['dev', 'dev-two', 'prod']);
  });

  it('make no stage of an alarm of yours that begins as one of Drover and ends as one', () => {
    const dev = alarmNames.map((name) => alarm(`drover-dev-${name}`));
    const own = [alarm('drover-dev-my-pass-age'), alarm('drover-dev-of-team-a-throttles')];
    expect(stagesOf([...own, ...dev])).toEqual(['dev']);
    // A second deployment whose stage continues the name of the first one.
    const two = alarmNames.map((name) => alarm(`drover-dev-two-${name}`));
    expect(stagesOf([...own, ...two, ...dev])).toEqual(['dev', 'dev-two']);
    expect(stagesOf(two)).toEqual(['dev-two']);
  });

  it('are not those of another program', () => {
    expect(stagesOf([alarm('drover-pass-age'), alarm('drover-x'), alarm('my-drover-dev-pass-age')])).toEqual(
      [],
    );
  });
});
