import { beforeEach, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { boundsOf, holdParameters, serving } from '../../../local/world/holds.ts';
import { deploymentOf, scale } from '../../../local/world/pod-holds.ts';
import { podsNamed, run } from '../../../local/world/workloads.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';
import { apiOperatorOf } from '../through-scale-api.ts';

let world: DroverWorld;

beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 20 } });
});

/** A node of the sandbox has two CPUs: three such pods fit on it. */
const web = (
  changes: { readonly name?: string; readonly kind?: string; readonly replicas?: number } = {},
) => {
  const { name = 'web', kind = 'Deployment', replicas = 12 } = changes;
  return `apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}, namespace: default}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
      - {name: main, image: "registry.example/app:1", resources: {requests: {cpu: 600m, memory: 64Mi}}}
`;
};

const drover = (line: string, files: OperatorOptions['files'] = { 'web.yaml': web() }) =>
  operatorOf(world, { files })(line);

const create = 'hold create workers --for-pods -f web.yaml --for 2h';

describe('drover hold create --for-pods', () => {
  it('creates a hold for the pods of a manifest, and waits until they have room', async () => {
    const { code, out } = await drover(`${create} --wait`);
    expect(out).toMatch(/^hold ana of workers: room for 12 pods with app=web in default until .* \(2h\)\n/);
    expect(out).toMatch(/met: 12 of 12 pods have a node or room; read \d min ago\n$/);
    expect(code).toBe(0);
    expect(serving(world)).toBe(4);
  });

  it('shows them in the list until they have arrived, and restores the base afterwards', async () => {
    await drover(create);
    expect((await drover('hold list')).out).toMatch(
      /^workers +ana +12 pods +2h +\S+ +unknown +prewarm has not/m,
    );
    await world.timeline.pass(600);
    await run(world, deploymentOf('web', 3));
    await scale(world, 'web', 12);
    await world.timeline.pass(120);
    expect(podsNamed(world, 'web').filter(({ spec }) => spec?.nodeName)).toHaveLength(12);
    expect((await drover('hold list')).out).toMatch(
      /^workers +ana +12 pods .* met +12 of 12 pods have a node or room/m,
    );
    expect(JSON.parse((await drover('hold list --json')).out)).toMatchObject([
      {
        nodes: 4,
        pods: { total: 12, selector: { matchLabels: { app: 'web' } } },
        found: { open: 0, placed: 0, withoutPlace: 0, readAt: expect.stringMatching(/Z$/) },
      },
    ]);
    expect((await drover('hold end workers ana')).code).toBe(0);
    await world.timeline.pass(600);
    expect(boundsOf(world).minSize).toBe(1);
  });

  it('takes another total than that of the manifest, and one of several workloads', async () => {
    const files = { 'web.yaml': `${web()}---\n${web({ name: 'api' })}` };
    const { out } = await drover(`${create} --workload deployment/api --pods 40`, files);
    expect(out).toContain('room for 40 pods with app=api in default');
    expect((await drover('hold extend workers ana --for 3h')).out).toContain('room for 40 pods with app=api');
  });

  it('creates headroom for pods of one size, without a manifest', async () => {
    const { code, out } = await drover(
      'hold create workers --for-pods --pods 3 --cpu 600m --memory 64Mi --headroom --for 2h',
    );
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^hold ana of workers: headroom for 3 pods in default until /),
    ]);
  });

  it('in a dry run shows the request and what prewarm would find now, and changes nothing', async () => {
    const { code, out } = await drover(`${create} --dry-run`);
    expect(out).toMatch(
      /\(dry run\)\nnow 3 of 12 pods have a node or room; with this hold the group would have 4 nodes; 4 nodes are needed, and 1 is Ready\n$/,
    );
    expect(code).toBe(0);
    expect(JSON.parse((await drover(`${create} --dry-run --json`)).out)).toMatchObject({
      pods: { total: 12, template: { labels: { app: 'web' } } },
      now: { nodes: 4, open: 12, placed: 3 },
      done: false,
    });
    expect(holdParameters(world)).toEqual([]);
  });

  it('in a dry run counts the other holds for pods of the group too', async () => {
    const files = { 'web.yaml': web(), 'api.yaml': web({ name: 'api', replicas: 6 }) };
    await drover('hold create workers --for-pods -f api.yaml --name api --for 2h', files);
    expect(JSON.parse((await drover(`${create} --dry-run --json`)).out)).toMatchObject({
      now: { nodes: 6, open: 12 },
    });
  });

  it('in a dry run without a kubeconfig says that it is unknown whether there is room', async () => {
    const operator = operatorOf(world, { files: { 'web.yaml': web() }, hasKubeconfig: false });
    expect(await operator(`${create} --dry-run`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\nwhether there is room now is unknown: /),
    });
  });

  it('works through the scale API', async () => {
    const api = apiOperatorOf(world, { files: { 'web.yaml': web() } });
    const made = await api.drover(`${create} --api`);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toContain('room for 12 pods with app=web in default');
    expect((await api.drover(`${create} --api`)).out).toContain('it already exists');
    await world.timeline.pass(600);
    const { out } = await api.drover('hold list --api --json');
    expect(JSON.parse(out)).toMatchObject([
      { nodes: 4, state: 'met', pods: { total: 12 }, found: { open: 12, placed: 12 } },
    ]);
    expect(JSON.parse((await drover('hold list --json')).out)).toEqual(JSON.parse(out));
  });
});

describe('drover hold create --for-pods is refused, and nothing is created,', () => {
  it.each([
    [
      'without a manifest and a size',
      'hold create workers --for-pods --for 2h',
      'give a manifest with -f FILE, or',
    ],
    [
      'with a number of nodes',
      create.replace('workers', 'workers 3'),
      'either a number of nodes or --for-pods',
    ],
    [
      'without nodes and pods',
      'hold create workers --for 2h',
      'give the lowest number of nodes, or --for-pods',
    ],
    ['with a manifest for nodes', 'hold create workers 3 -f web.yaml --for 2h', '--filename is about pods'],
    [
      'for pods of one size without a selector',
      'hold create workers --for-pods --pods 3 --cpu 1 --memory 1Gi --for 2h',
      'or --headroom, which is so much room at all times',
    ],
    ['with a size beside a manifest', `${create} --cpu 1`, 'the manifest says what its pods request'],
    [
      'with a size that is none',
      `hold create workers --for-pods --pods 3 --cpu much --memory 1Gi --headroom --for 2h`,
      '--cpu much:',
    ],
    ['for no pods', `${create} --pods 0`, 'from 1 to 10000'],
    [
      'with a workload that is not there',
      `${create} --workload deployment/api`,
      'they have default/deployment/web',
    ],
    ['with a file that is not there', create.replace('web', 'other'), 'there is no file other.yaml'],
  ])('%s', async (_, line, message) => {
    expect(
      await operatorOf(world, { files: { 'web.yaml': web() }, hasKubeconfig: !line.includes('other') })(line),
    ).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(message),
    });
    expect(holdParameters(world)).toEqual([]);
  });

  it('with several workloads, which are named with how to choose', async () => {
    const files = { 'web.yaml': `${web()}---\n${web({ name: 'api' })}` };
    expect(await drover(create, files)).toMatchObject({
      code: 2,
      err: expect.stringContaining('choose one, such as --workload default/deployment/api'),
    });
  });

  it('with mistakes in a manifest, all of which are named with file, document and field', async () => {
    const files = { 'web.yaml': `${web()}---\n${web({ replicas: -1 })}`.replace('600m', '600x') };
    const { code, err } = await drover(create, files);
    expect(code).toBe(2);
    expect(err).toMatch(/nothing is created:\n/);
    expect(err).toMatch(
      /web\.yaml, document 1, spec\.template\.spec\.containers\[0\]\.resources\.requests\.cpu/,
    );
    expect(err).toMatch(/web\.yaml, document 2, spec\.replicas/);
    expect(holdParameters(world)).toEqual([]);
  });

  it('if its rules have no place in a parameter, with the size and what helps', async () => {
    const tolerations = Array.from(
      { length: 100 },
      (_, index) => `{key: example.com/team-${index}-and-role}`,
    );
    const text = web().replace(
      '      containers',
      `      tolerations: [${tolerations.join(', ')}]\n      containers`,
    );
    expect(await drover(create, { 'web.yaml': text })).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /takes \d+ bytes, and a parameter has place for 4096: give a shorter manifest/,
      ),
    });
  });
});
