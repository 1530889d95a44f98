import { describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { callScaleApi } from '../../../local/world/scale-api-call.ts';
import { request } from '../../../local/world/workloads.ts';
import { status as statusSchema } from '../../../shared/scale-api/schemas/answers/status.ts';
import { operatorOf } from '../../cli/operator.ts';
import { withRoleStatement } from '../../support/wiring.ts';

/** The answer of the deployed function, with the rights of its role. */
const statusOf = async (world: DroverWorld) =>
  statusSchema.parse(JSON.parse((await callScaleApi(world, 'GET', '/status')).body));

/** One worker, and the credential of new nodes. */
async function wholeWorld(...options: Parameters<typeof createDroverWorld>): Promise<DroverWorld> {
  const world = createDroverWorld(...options);
  await withWorkers(world, { size: 1 });
  await world.lambda.invoke('bootstrap-credential', {});
  return world;
}

/** Puts what the alarm measures until it is raised. */
async function raise(world: DroverWorld, name: string): Promise<void> {
  const alarmName = `drover-dev-${name}`;
  const metric = world.wiring.alarms.find((alarm) => alarm.alarmName === alarmName)?.metrics[0];
  if (metric === undefined) throw new Error(`there is no alarm ${name}`);
  world.alarms.start();
  // Silence alarms until each function has run once.
  await world.timeline.pass(3700);
  for (let minute = 0; world.alarms.stateOf(alarmName) !== 'ALARM'; minute += 1) {
    if (minute > 60) throw new Error(`${name} is not raised`);
    world.alarms.putMetric({ ...metric, value: 1_000_000, at: world.clock.now() });
    await world.timeline.pass(60);
  }
}

describe('GET /status of the deployed function', () => {
  it('is ok, with every source read, in a cluster without problems', async () => {
    const world = await wholeWorld();
    expect(await statusOf(world)).toMatchObject({ state: 'ok', problems: [], unknown: [] });
  });

  it.each(['certificate-conflicts', 'notifications-failed', 'repairs-withheld'])(
    'shows the raised alarm %s as the problem that drover status shows',
    async (name) => {
      const world = await wholeWorld();
      await raise(world, name);
      const { state, problems } = await statusOf(world);
      expect({ state, problems }).toMatchObject({
        state: 'attention',
        problems: [{ subject: name, alarm: name }],
      });
      const { out } = await operatorOf(world)('status --json');
      expect(JSON.parse(out)).toMatchObject({ problems });
    },
  );

  it('shows dead letters and an instance without a Node in the order of drover status', async () => {
    const world = createDroverWorld();
    const [id = ''] = await withWorkers(world, { size: 1 });
    const { controls } = world.account.sqs;
    controls.send(controls.queueNames().find((one) => one.includes('InboxDeadLetterQueue')) ?? '', {
      MessageBody: '{}',
    });
    world.kubelets.get(id)?.stop();
    for (const node of world.kubernetes.store.of('nodes').list())
      await request(world, 'DELETE', `/api/v1/nodes/${node.metadata.name}`);
    await world.timeline.pass(3600);
    const { problems } = await statusOf(world);
    expect(problems.map(({ kind }) => kind).toSorted()).toEqual(['dead-letters', 'no-node']);
    const { out } = await operatorOf(world)('status --json');
    const shown = (JSON.parse(out) as { problems: { kind: string; subject: string }[] }).problems;
    expect(problems.map(({ kind, subject }) => ({ kind, subject }))).toEqual(
      shown.map(({ kind, subject }) => ({ kind, subject })),
    );
  });

  it('shows a group that has lost its role, and names the sources that it does not read', async () => {
    const world = await wholeWorld();
    const role = { ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key: 'drover.dev/role' };
    world.account.autoScaling.operations.DeleteTags({ Tags: [role] });
    world.account.autoScaling.operations.CreateOrUpdateTags({
      Tags: [{ ...role, Key: 'drover.dev/drain-timeout', Value: '5m' }],
    });
    const { state, problems, notLookedAt } = await statusOf(world);
    expect({ state, problems }).toMatchObject({
      state: 'attention',
      problems: [{ kind: 'tag', subject: 'workers', message: expect.stringContaining('drover.dev/role') }],
    });
    expect(notLookedAt).toEqual([
      'the hooks of the groups',
      'the groups without the tag of the cluster',
      'the approvers of certificates',
      'the certificate requests',
    ]);
  });

  it.each([
    ['Alarms', 'the alarms'],
    ['CountDeadLetters', 'the queues'],
    ['Floors', 'the holds and schedules'],
  ])('is unknown, and not ok, without the statement %s of its role', async (sid, what) => {
    const world = await wholeWorld({ editWiring: withRoleStatement('drover-dev-scale-api', sid) });
    const { state, unknown } = await statusOf(world);
    expect({ state, unknown }).toEqual({
      state: 'unknown',
      unknown: [expect.stringMatching(new RegExp(`^${what}: `))],
    });
  });
});
