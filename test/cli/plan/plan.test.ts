import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  nodesOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { create, deployment, podsOn, request } from '../../../local/world/workloads.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';

let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 2 });
});

const drover = (line: string, options: OperatorOptions = {}) => operatorOf(world, options)(line);

/** A Deployment whose pods request so much; the world has two nodes of 1930m CPU. */
async function start(name: string, replicas: number, cpu: string, pod: object = {}): Promise<void> {
  const containers = [{ name: 'main', image: 'app:1', resources: { requests: { cpu } } }];
  await create(world, deployment({ name, replicas, pod: { containers, ...pod } }));
  await world.timeline.pass(30);
}

/** Answers requests to some lists otherwise than the API server would. */
const answering = (path: RegExp, status: number): Pick<OperatorOptions, 'sendHttp'> => ({
  sendHttp: async (sent) =>
    path.test(new URL(sent.url).pathname)
      ? {
          status,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            kind: 'Status',
            apiVersion: 'v1',
            status: 'Failure',
            code: status,
            message: 'no',
          }),
        }
      : await world.kubernetes.sendHttp(sent),
});

describe('drover plan --pods', () => {
  it('says that all pods fit now, and exits with 0', async () => {
    expect(await drover('plan --pods 4 --cpu 500m --memory 1Gi')).toEqual({
      code: 0,
      err: '',
      out: `All 4 pods fit in free room now.

PODS OF                PODS   BOUND   FIT NOW   NEW NODES   NOWHERE
500m cpu, 1Gi memory   4      0       4         0           0

GROUP     READY   NEW NODES   DESIRED   MIN   MAX
workers   2       0           2         0     10
`,
    });
  });

  it('says how many nodes more a group needs, with the command that provides them', async () => {
    const { code, out } = await drover('plan --pods 12 --cpu 500m --memory 64Mi');
    expect(code).toBe(0);
    expect(out).toMatch(/^6 of 12 pods fit in free room now; 2 more nodes of workers are needed\.\n/);
    expect(out).toMatch(/^workers +2 +2 +2 +0 +10$/m);
    expect(out).toMatch(/\n {2}drover hold create workers 4 --for 2h\n$/);
    expect((await drover('plan --pods 12 --cpu 500m --memory 64Mi --cluster drover')).out).toContain(
      'drover hold create workers 4 --for 2h --cluster drover\n',
    );
  });

  it('needs the nodes that it says: with a hold of them everything fits, and nothing more is needed', async () => {
    const { code } = await drover('hold create workers 4 --for 2h');
    expect(code).toBe(0);
    await world.timeline.pass(600);
    expect(await drover('plan --pods 12 --cpu 500m --memory 64Mi')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^All 12 pods fit in free room now\.\n/),
    });
  });

  it('blames the bounds of a group, and not the size of the pods (kubernetes/autoscaler#1607)', async () => {
    const { code, out, err } = await drover('plan --pods 40 --cpu 500m --memory 64Mi');
    expect([code, err]).toEqual([1, 'drover: 10 pods fit nowhere\n']);
    expect(out).toMatch(/^500m cpu, 64Mi memory: 10 pods fit nowhere, such as default\/pods-31$/m);
    expect(out).toMatch(/^ {2}0\/10 nodes are available: 10 Insufficient cpu\.$/m);
    expect(out).toMatch(
      /^ {2}workers: its next node would take it, but MaxSize \(10\) allows only 8 more: raise MaxSize$/m,
    );
  });

  it('says how much is missing, not only how many nodes refuse (kubernetes/kubernetes#53465)', async () => {
    const { code, out } = await drover('plan --pods 1 --cpu 4 --memory 100Gi');
    expect(code).toBe(1);
    expect(out).toMatch(/Insufficient cpu \(it asks for 4 cpu, an empty node has 1930m cpu\)/);
    expect(out).toMatch(
      /Insufficient memory \(it asks for 100Gi memory, an empty node has [\d.]+Gi memory\)/,
    );
    expect(out).not.toContain('hold create');
  });

  it('gives no room on a cordoned node, and says so (robscott/kube-capacity#91)', async () => {
    const [node = ''] = nodesOf(world);
    await request(world, 'PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: true } });
    const { out } = await drover('plan --pods 6 --cpu 500m --memory 64Mi');
    expect(out).toMatch(/^3 of 6 pods fit in free room now; 1 more node of workers is needed\.$/m);
    expect(out).toMatch(/^1 node gives no room: 1 cordoned or leaving\.$/m);
  });

  it('counts the pods that are Pending now, which take the room first, unless --no-pending says otherwise', async () => {
    await start('web', 8, '500m');
    const { out } = await drover('plan --pods 1 --cpu 500m --memory 64Mi');
    expect(out).toMatch(/^The pod does not fit in free room now; 1 more node of workers is needed\.$/m);
    expect(out).toMatch(/^The plan has room for 2 pods that are Pending now too\.$/m);
    expect(out).toMatch(/^Pending now +2 +0 +0 +2 +0$/m);
    const without = await drover('plan --pods 1 --cpu 500m --memory 64Mi --no-pending');
    expect(without.out).toMatch(/^note: --no-pending: 2 Pending pods may take this room first$/m);
    expect(without.out).not.toMatch(/^Pending now/m);
  });

  it('plans with free room only and without AWS with --no-groups', async () => {
    const awsRequestHandler = { handle: () => Promise.reject(new Error('AWS was asked')) };
    const { code, out } = await drover('plan --pods 8 --cpu 500m --memory 64Mi --no-groups', {
      awsRequestHandler,
      environment: { DROVER_CLUSTER: undefined, AWS_REGION: undefined },
    });
    expect(code).toBe(1);
    expect(out).toMatch(/^6 of 8 pods fit in free room now; 2 pods fit nowhere\.$/m);
    expect(out).toMatch(/^note: --no-groups: only free room counts, and no group grows$/m);
    expect(out).not.toMatch(/^GROUP/m);
  });

  it.each([
    ['--pods 2 --cpu 1', 'give --cpu and --memory too'],
    ['--cpu 2', '--cpu is the size of each of the --pods: give --pods too'],
    ['--pods 2 --cpu 2x --memory 1Gi', '--cpu 2x: '],
    ['--pods 2 --cpu 2 --memory 512m', 'did you mean 512Mi?'],
    ['--pods 2 --cpu 2 --memory 1Gi -f web.yaml', 'give one of workloads, -f and --pods'],
    ['--replicas 2', '--replicas is for workloads'],
    ['web', 'web: write KIND/NAME, such as deployment/web'],
    ['daemonset/agent', 'kinds are deployment, statefulset, replicaset, job, cronjob'],
    ['deployment/web --times 0', 'it must be more than 0; without pods there is nothing to plan'],
    ['deployment/web --times 0.00001', 'at most four decimals'],
    ['deployment/web -n Shop', '"Shop" is not a name'],
    ['--pods -2 --cpu 2', 'write a whole number up to 100000'],
    ['--pods 1000000 --cpu 2', 'write a whole number up to 100000'],
    ['--pods 2 --cpu 1 --memory 64Mi --group wrokers', '--group wrokers: the worker groups are workers'],
    ['--pods 2 --cpu 1 --memory 64Mi --group workers --no-groups', 'cannot be used with option'],
    [
      '--pods 2 --cpu 1 --memory 64Mi --explain other',
      'the plan places no such pod; it places default/pods-1, default/pods-2',
    ],
  ])('refuses %s as a wrong command line', async (flags, message) => {
    expect(await drover(`plan ${flags}`)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(message),
    });
  });
});

describe('drover plan without pods', () => {
  it('says that no pod waits', async () => {
    expect(await drover('plan')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No pod waits for a node\.\n\nGROUP/),
    });
  });

  it('plans the pods that are Pending now', async () => {
    await start('web', 8, '500m');
    const { code, out } = await drover('plan');
    expect(code).toBe(0);
    expect(out).toMatch(/^None of 2 pods fit in free room now; 1 more node of workers is needed\.$/m);
  });

  it('says why a Pending pod fits nowhere, by group, with the label that it asks for', async () => {
    await start('web', 1, '100m', { nodeSelector: { disk: 'fast' } });
    const { code, out } = await drover('plan');
    expect(code).toBe(1);
    expect(out).toContain("0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.");
    expect(out).toMatch(/^ {2}workers: its nodes refuse it: node\(s\) didn't match .* \(disk=fast\)$/m);
  });

  it('promises no zone of a group over several zones, and says what to do', async () => {
    await start('web', 6, '600m', { nodeSelector: { 'topology.kubernetes.io/zone': 'eu-west-1a' } });
    const { code, out } = await drover('plan');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^ {2}workers: its next node would take it in some of its zones \(eu-west-1a, .*split the group into one for each zone \(docs\/group-layout\.md\)$/m,
    );
  });
});

describe('what drover plan may not read', () => {
  it('ends without a plan if the pods cannot be read: the nodes would look empty', async () => {
    expect(await drover('plan --pods 2 --cpu 1 --memory 64Mi', answering(/\/pods$/, 403))).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^drover: .*\/api\/v1\/pods.*403/),
    });
  });

  it('warns of a list that may not be read, with its consequence', async () => {
    const { code, err } = await drover('plan --pods 2 --cpu 1 --memory 64Mi', answering(/\/csinodes$/, 403));
    expect([code, err]).toEqual([
      0,
      'warning: CSINodes cannot be read (forbidden): no attach limit of volumes is known\n',
    ]);
  });

  it('fails for a throttled list, because a plan without it would promise too much', async () => {
    expect(
      await drover('plan --pods 2 --cpu 1 --memory 64Mi', answering(/\/daemonsets$/, 429)),
    ).toMatchObject({
      code: 1,
      out: '',
    });
  });

  it('names the cluster that has no group, and the setting that is missing', async () => {
    expect(await drover('plan --cluster prdo')).toMatchObject({
      code: 1,
      err: expect.stringContaining('carries the tags of cluster prdo'),
    });
    const { code, err } = await drover('plan', { environment: { DROVER_CLUSTER: undefined } });
    expect([code, err]).toEqual([2, expect.stringContaining('--cluster')]);
  });
});

describe('drover plan --explain', () => {
  it('says what the other nodes were like when the turn of the pod came', async () => {
    const { code, out } = await drover('plan --pods 12 --cpu 500m --memory 64Mi --explain pods-12');
    expect(code).toBe(0);
    expect(out).toMatch(/^default\/pods-12 goes to \S+(?:, a node that does not exist yet)?\.\n/);
    expect(out).toMatch(
      /^\d other nodes? refuses? it: \d Insufficient cpu\.$|^No other node would take it\.$/m,
    );
  });

  it('says why a pod fits nowhere, and keeps the exit code of the plan', async () => {
    const { code, out } = await drover('plan --pods 1 --cpu 4 --memory 64Mi --explain default/pods-1');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^default\/pods-1 fits nowhere\.\n0\/2 nodes are available: 2 Insufficient cpu\.\nworkers: /,
    );
  });

  const explain = async (name: string, subject = '--pods 12 --cpu 500m --memory 64Mi') => {
    const { code, out, err } = await drover(`plan ${subject} --explain ${name}`);
    return { code, out, err: err.replace(/^drover: --explain \S+: /, '').trimEnd() };
  };

  it.each([
    ['pods-13', /^the plan places no such pod: did you mean default\/pods-1\d? or default\/pods-/],
    ['shop/pods-12', /^the plan places no such pod: did you mean default\/pods-12\?$/],
    ['pods', /^the plan places no such pod: did you mean default\/pods-1 or default\/pods-2 or /],
    ['default/', /^the plan places no such pod; it places default\/pods-1, .* and 7 more$/],
    ['a/b/c', /^the plan places no such pod; it places default\/pods-1, /],
  ])('suggests what %s may mean', async (name, message) => {
    expect(await explain(name)).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
  });

  it('says on which node a pod is that needs no place', async () => {
    await start('web', 1, '100m');
    const [pod] = nodesOf(world).flatMap((node) =>
      podsOn(world, node).filter(({ metadata }) => metadata?.labels?.app === 'web'),
    );
    const name = `default/${pod?.metadata?.name}`;
    expect(await explain(name)).toMatchObject({
      code: 2,
      err: `${name} has a node already: ${pod?.spec?.nodeName}`,
    });
  });

  it('asks for the namespace of a name that two pods have', async () => {
    const [blue, green] = ['blue', 'green'].map((namespace) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web', namespace },
        spec: { containers: [{ name: 'main', image: 'app:1' }] },
      }),
    );
    const files = { 'web.yaml': `${blue}\n---\n${green}` };
    expect(await drover('plan -f web.yaml --explain web', { files })).toMatchObject({
      code: 2,
      err: 'drover: --explain web: several pods have this name: give one as NAMESPACE/NAME, blue/web, green/web\n',
    });
    expect(await drover('plan -f web.yaml --explain green/web', { files })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^green\/web goes to /),
    });
  });
});

it('prints the same numbers as JSON, with the node of each pod', async () => {
  await start('web', 8, '500m');
  const { code, out } = await drover('plan --pods 40 --cpu 500m --memory 64Mi --json');
  const json = JSON.parse(out);
  expect(code).toBe(1);
  expect(json).toMatchObject({
    fits: false,
    pods: { total: 40, running: 0, fitNow: 0, onNewNodes: 22, nowhere: 18, notPlanned: 0 },
    pending: { total: 2, onNewNodes: 2 },
    groups: [{ autoScalingGroupName: 'workers', newNodes: 8, maxSize: 10 }],
    commands: [{ hold: 'drover hold create workers 10 --for 2h', scale: 'drover scale workers 10' }],
    refused: [{ groups: [{ autoScalingGroupName: 'workers', kind: 'at-bounds', reasons: [] }] }],
  });
  expect(json.placements).toHaveLength(42);
  expect(json.placements.filter(({ node }: { node: string | null }) => node === null)).toHaveLength(18);
});

it('fits its tables into a terminal of 80 columns', async () => {
  const { out } = await drover('plan --pods 40 --cpu 500m --memory 1Gi', { columns: 80, isTerminal: true });
  const tables = out.split('\n').filter((line) => /^(?:PODS OF|GROUP|500m|workers) /.test(line));
  expect(tables.length).toBeGreaterThan(3);
  expect(tables.filter((line) => line.length > 80)).toEqual([]);
});

it('prints the same plan each time', async () => {
  const line = 'plan --pods 30 --cpu 300m --memory 700Mi --json';
  expect(await drover(line)).toEqual(await drover(line));
});
