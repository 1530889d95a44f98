import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dashboardState } from '../../../local/dashboard/state/dashboard-state.ts';
import { putSchedule } from '../../../local/story/put-schedule.ts';
import {
  createDroverWorld,
  type DroverWorld,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { create, deployment } from '../../../local/world/workloads.ts';
import { headlineOf } from '../../../ui/state/headline.ts';
import type { DashboardState, InstanceView } from '../../../ui/state/types.ts';
import { operatorOf, startHeldDrain } from '../operator.ts';
import { apiOperatorOf } from '../through-scale-api.ts';
import { ask } from './run-ui.ts';
import { startUi } from './start-ui.ts';

let world: DroverWorld;

/** The page that the sandbox itself shows. */
const sandboxPage = (): DashboardState =>
  dashboardState(world, { now: world.clock.now(), passes: [], news: [] });

/** A node that a budget holds, one that has just begun to leave, a hold, a schedule and a pod without a node. */
async function story(): Promise<readonly string[]> {
  const ids = await withWorkers(world, {
    size: 3,
    spot: true,
    tags: { 'drover.dev/max-leaving': '1' },
  });
  await startHeldDrain(world, ids);
  terminate(world, ids[1] ?? '', { replace: false });
  await operatorOf(world)('hold create workers 4 --for 30m --name launch-day');
  putSchedule(world, {
    name: 'office-hours',
    at: Math.ceil((world.clock.now() + 2_400_000) / 60_000) * 60_000,
    definition: {
      autoScalingGroupName: 'workers',
      nodes: 5,
      durationSeconds: 3600,
      lead: 600,
      exceptions: [],
      raiseMaxSize: false,
    },
  });
  await create(world, deployment({ name: 'homeless', replicas: 1, pod: { nodeSelector: { disk: 'none' } } }));
  await world.timeline.pass(90);
  return ids;
}

describe('drover ui', () => {
  let ids: readonly string[];

  beforeAll(async () => {
    world = createDroverWorld();
    ids = await story();
  });

  const instances = ({ groups }: DashboardState): readonly InstanceView[] =>
    groups
      .flatMap((group) => group.instances)
      .toSorted((one, other) => one.instanceId.localeCompare(other.instanceId));

  it('shows with AWS credentials and a kubeconfig what the sandbox shows of the same account', async () => {
    const ui = await startUi(world);
    const page = await ui.state();
    const own = sandboxPage();
    expect(page).toMatchObject({
      source: 'account',
      clusterName: 'drover',
      region: own.region,
      accountId: own.accountId,
      waitingPods: own.waitingPods,
      budgets: own.budgets,
      requests: own.requests,
      otherNodes: [],
      problems: [],
      unknown: [],
    });
    expect(headlineOf(page)).toEqual(headlineOf(own));
    expect(page.groups.map(({ capacity }) => capacity)).toEqual(own.groups.map(({ capacity }) => capacity));
    const withoutHistory = (view: InstanceView) => ({ ...view, lastPass: 'not read', waits: [] });
    const leaving = ({ node }: InstanceView): boolean => node?.leaving !== undefined;
    expect(instances(page).filter(leaving).map(withoutHistory)).toEqual(
      instances(own).filter(leaving).map(withoutHistory),
    );
    expect(
      instances(page).map((one) => ({ ...withoutHistory(one), node: { ...one.node, pods: 'not read' } })),
    ).toEqual(
      instances(own).map((one) => ({ ...withoutHistory(one), node: { ...one.node, pods: 'not read' } })),
    );
  });

  it('shows through the scale API, without a kubeconfig, the same sentence, nodes, hold and schedule', async () => {
    const ui = await startUi(world, 'ui --api');
    const page = await ui.state();
    const own = sandboxPage();
    expect(page).toMatchObject({ source: 'account', clusterName: 'drover', problems: [], unknown: [] });
    expect(headlineOf(page).text).toBe(headlineOf(own).text);
    const [capacity] = page.groups.map((group) => group.capacity);
    const [ownCapacity] = own.groups.map((group) => group.capacity);
    const { base: _, ...told } = ownCapacity ?? {};
    expect(capacity).toEqual(told);
    const known = ({ instanceId, lifecycleState, healthy, node }: InstanceView) => ({
      instanceId,
      lifecycleState,
      healthy,
      node: { ...node, pods: 'not read' },
    });
    expect(instances(page).map(known)).toEqual(instances(own).map(known));
  });

  it.each(['ui', 'ui --api'])(
    'says what an instance waits for before its node is marked: %s',
    async (line) => {
      const page = await (await startUi(world, line)).state();
      expect(instances(page).find(({ instanceId }) => instanceId === ids[1])?.lastPass).toBe(
        'its first pass, or the concurrency limit',
      );
    },
  );

  it('prints one line with the address, and ends at Ctrl-C with 130', async () => {
    const ui = await startUi(world);
    expect(ui.printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/\n$/);
    expect(await ui.interrupt()).toEqual({
      code: 130,
      out: ui.printed,
      err: 'drover: interrupted: the page is no longer served\n',
    });
    await expect(ask(ui.url)).rejects.toThrow('ECONNREFUSED');
  });

  it('has another address each time', async () => {
    const [one, other] = [await startUi(world), await startUi(world)];
    expect(new URL(one.url).pathname).not.toBe(new URL(other.url).pathname);
  });

  it('prints the address as JSON, and uses the port that it is given', async () => {
    const first = await startUi(world, 'ui --json');
    const { port } = JSON.parse(first.printed) as { port: number };
    expect(first.url).toContain(`:${port}/`);
    const { code, err } = await operatorOf(world)(`ui --port ${port}`);
    expect(code).toBe(1);
    expect(err).toBe(
      `drover: port ${port} is taken by another program: give --port another number, or leave it out\n`,
    );
  });

  it.each(['0', '65536', 'http', '80.5'])('refuses the port %s', async (port) => {
    const { code, err } = await operatorOf(world)(`ui --port ${port}`);
    expect(code).toBe(2);
    expect(err).toContain('write a number from 1 to 65535');
  });

  it('reads nothing while no page is open', async () => {
    let calls = 0;
    const { sendHttp } = world.doors('operator');
    await startUi(world, 'ui', {
      sendHttp: (request) => {
        calls += 1;
        return sendHttp(request);
      },
    });
    await world.timeline.pass(60);
    expect(calls).toBe(0);
  });
});

describe('drover ui with less than everything', () => {
  beforeEach(async () => {
    world = createDroverWorld();
    await withWorkers(world, { size: 2 });
  });

  it('shows the groups without a kubeconfig, and says how to give one', async () => {
    const page = await (await startUi(world, 'ui', { hasKubeconfig: false })).state();
    expect(page.unknown).toEqual([
      {
        what: 'the Nodes and all else of the cluster',
        reason: 'unknown: there is no kubeconfig at /home/ana/.kube/config: give one with --kubeconfig',
      },
    ]);
    expect(page.groups[0]?.instances).toMatchObject([{ nodeUnknown: true }, { nodeUnknown: true }]);
    expect(page.groups[0]?.capacity?.ready).toBeUndefined();
    expect(page).not.toHaveProperty('waitingPods');
    expect(page).not.toHaveProperty('requests');
    expect(headlineOf(page).text).toBe('Not everything could be read: the Nodes and all else of the cluster');
  });

  it('shows what the user may read, and names what is denied', async () => {
    const actions = ['autoscaling:DescribeAutoScalingGroups'];
    const page = await (await startUi(world, 'ui', { actions })).state();
    expect(page.groups[0]?.instances).toHaveLength(2);
    expect(page.groups[0]?.instances[0]?.node).toMatchObject({ ready: true });
    expect(page.groups[0]).not.toHaveProperty('capacity');
    expect(page.problems).toEqual([]);
    expect(page.unknown.map(({ what }) => what)).toEqual([
      'the hooks',
      'the machines',
      'the holds',
      'the rolls',
      'the schedules',
      'the credential of new nodes',
      'the queues',
      'the alarms',
      'the scheduled actions of Auto Scaling',
    ]);
    for (const { reason } of page.unknown) expect(reason).toMatch(/^unknown: .*not authorized to perform/);
  });

  it('shows the credential of each role that is published, though no setting of this machine names the role', async () => {
    const names = [
      '/drover/drover/bootstrap-kubeconfig',
      '/drover/drover/bootstrap-kubeconfig-control-plane',
    ];
    for (const Name of names)
      world.account.ssm.operations.PutParameter(
        { Name, Type: 'SecureString', Overwrite: true, Value: 'secret' },
        { principal: world.account.operator, requestId: 'test' },
      );
    const { credentials } = await (await startUi(world)).state();
    const publishedAt = world.clock.now();
    expect(credentials).toEqual(names.map((parameterName) => ({ parameterName, publishedAt })));
  });

  it('shows what needs an operator', async () => {
    await withWorkers(world, { size: 1, autoScalingGroupName: 'bare', hook: undefined });
    const page = await (await startUi(world)).state();
    expect(page.problems).toContainEqual({
      kind: 'hook',
      alarm: null,
      severity: 'critical',
      since: null,
      command: 'drover hooks install bare --cluster drover',
      subject: 'bare',
      message: 'it has no hook drover-node-leaving: its instances terminate undrained',
    });
    expect(headlineOf(page).text).toMatch(/^bare has no hook/);
  });

  it('says that a group is paused', async () => {
    await operatorOf(world)('pause workers');
    const direct = await (await startUi(world)).state();
    expect(direct.groups[0]?.paused).toMatch(/^paused for the group since \S+ by user\/ana$/);
    const overApi = await (await startUi(world, 'ui --api')).state();
    expect(overApi.groups[0]?.paused).toBe('paused');
  });

  it('names what it does not look at: less than the scale API does not', async () => {
    expect((await (await startUi(world)).state()).notLookedAt).toBeUndefined();
    const overApi = await (await startUi(world, 'ui --api')).state();
    expect(overApi.notLookedAt).toEqual([
      'the hooks of the groups',
      'the groups without the tag of the cluster',
      'the approvers of certificates',
      'the certificate requests',
    ]);
  });

  it('shows the groups while the API server hangs, asks it once, and reads it again afterwards', async () => {
    let hangs = true;
    let calls = 0;
    const { sendHttp } = world.doors('operator');
    const { promise, reject } = Promise.withResolvers<never>();
    const ui = await startUi(world, 'ui', {
      sendHttp: (request) => {
        calls += 1;
        return hangs ? promise : sendHttp(request);
      },
    });
    const first = ui.state();
    await untilCalled(() => calls > 0);
    await world.timeline.pass(11);
    expect((await first).unknown).toEqual([
      { what: 'the Nodes and all else of the cluster', reason: 'unknown: no answer within 10 s' },
    ]);
    expect((await first).groups[0]?.instances).toHaveLength(2);
    await world.timeline.pass(6);
    const second = ui.state();
    await new Promise((resolve) => setImmediate(resolve));
    await world.timeline.pass(11);
    expect((await second).unknown).toHaveLength(1);
    expect(calls).toBe(1);
    hangs = false;
    reject(new Error('reset'));
    await world.timeline.pass(6);
    expect((await ui.state()).unknown).toEqual([]);
  });

  it('shows the Nodes as they were while the API server is away', async () => {
    let isAway = false;
    const { sendHttp } = world.doors('operator');
    const ui = await startUi(world, 'ui', {
      sendHttp: (request) => (isAway ? Promise.reject(new Error('ECONNREFUSED')) : sendHttp(request)),
    });
    await ui.state();
    isAway = true;
    await world.timeline.pass(6);
    const page = await ui.state();
    expect(page.groups[0]?.instances[0]?.node).toMatchObject({ ready: true });
    expect(page.unknown).toHaveLength(1);
    expect(page.unknown[0]?.reason).toMatch(/^shown as of 2026-\S+Z: .*no answer from .*ECONNREFUSED/);
    expect(page).toMatchObject({ waitingPods: [], requests: [] });
  });

  it('shows the cluster while AWS denies everything, and does not call its nodes foreign', async () => {
    const page = await (await startUi(world, 'ui', { actions: ['sts:GetCallerIdentity'] })).state();
    expect(page).toMatchObject({ groups: [], otherNodes: [], waitingPods: [] });
    expect(page.unknown.map(({ what }) => what)).toContain('the groups');
    expect(headlineOf(page).tone).toBe('warn');
  });

  it.each([
    [401, '{"message":"Unauthorized"}', /asks for another sign-in than a signature of AWS/],
    [403, '{"message":"Forbidden"}', /allow this identity execute-api:Invoke on the API/],
    [429, '{"message":"Too Many Requests"}', /too many requests/],
    [500, '{"message":"Internal Server Error"}', /see the log of the function scale-api/],
    [200, '<html>Sign in to the proxy</html>', /unknown: /],
    [302, '', /answered 302/],
  ])('says why the scale API gives nothing: it answers %i %s', async (status, body, reason) => {
    const sendHttp = () => Promise.resolve({ status, headers: {}, body });
    const page = await (await startUi(world, 'ui --api', { sendHttp })).state();
    expect(page.unknown).toHaveLength(1);
    expect(page.unknown[0]?.reason).toMatch(reason);
    expect(page.unknown[0]?.reason).not.toContain('<html>');
    expect(page.unknown[0]?.isThrottled).toBe(status === 429 ? true : undefined);
    expect(headlineOf(page).tone).toBe('warn');
  });

  it('shows instances as unknown if the scale API does not return those of a group', async () => {
    const { machine } = apiOperatorOf(world);
    const ui = await startUi(world, 'ui --api', {
      sendHttp: (request) =>
        request.url.includes('/instances') ? Promise.reject(new Error('reset')) : machine.sendHttp(request),
    });
    const page = await ui.state();
    expect(page.groups).toMatchObject([{ desiredCapacity: 2, instances: [], instancesUnknown: true }]);
    expect(headlineOf(page)).toMatchObject({ text: 'Not everything could be read: the instances', more: [] });
  });

  it('goes on while the scale API is away', async () => {
    const page = await (
      await startUi(world, 'ui --api', { sendHttp: () => Promise.reject(new Error('ECONNREFUSED')) })
    ).state();
    expect(page).toMatchObject({
      groups: [],
      unknown: [
        {
          what: 'the groups, the instances, the holds, the rolls, the schedules, what joins and leaves, the status',
        },
      ],
    });
  });

  it('contains no secret', async () => {
    const text = JSON.stringify(await (await startUi(world)).state());
    expect(text).not.toContain(world.kubernetes.adminToken);
    expect(text).not.toMatch(/AKIA|ASIA|secret/i);
  });

  it('ends with 2 before it serves anything where the cluster or the address is missing', async () => {
    const drover = operatorOf(world, {
      environment: { DROVER_CLUSTER: undefined, DROVER_API_URL: undefined },
    });
    expect(await drover('ui')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--cluster') });
    expect(await drover('ui --api')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--endpoint'),
    });
    expect((await drover('ui --api --kubeconfig x')).code).toBe(2);
  });
});

async function untilCalled(isCalled: () => boolean): Promise<void> {
  while (!isCalled()) await new Promise((resolve) => setImmediate(resolve));
}
