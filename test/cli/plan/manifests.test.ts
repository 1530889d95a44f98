import { beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { create, daemonSet, deployment } from '../../../local/world/workloads.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';
import { createCliWorld } from '../support.ts';

let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 2 });
});

const drover = (line: string, options: OperatorOptions = {}) => operatorOf(world, options)(line);

const requests = (cpu: string) => ({
  containers: [{ name: 'main', image: 'app:1', resources: { requests: { cpu, memory: '64Mi' } } }],
});

/** A Deployment; the world has two nodes of 1930m CPU. */
const web = (replicas: number, { cpu = '500m', pod = {} }: { cpu?: string; pod?: object } = {}) =>
  deployment({ name: 'web', replicas, pod: { ...requests(cpu), ...pod } });

/** Plans these objects, from a file of several documents. */
const planOf = (objects: readonly object[], flags = '') =>
  drover(`plan -f web.yaml${flags && ` ${flags}`}`, {
    files: { 'web.yaml': objects.map((object) => stringify(object)).join('---\n') },
  });

async function start(object: Parameters<typeof create>[1]): Promise<void> {
  await create(world, object);
  await world.timeline.pass(60);
}

describe('drover plan -f', () => {
  it('plans the replicas of a Deployment that does not exist yet', async () => {
    const { code, out } = await planOf([web(12)]);
    expect(code).toBe(0);
    expect(out).toMatch(/^6 of 12 pods fit in free room now; 2 more nodes of workers are needed\.$/m);
    expect(out).toMatch(/^default\/deployment\/web +12 +0 +6 +6 +0$/m);
  });

  it('counts the pods that run already towards the total', async () => {
    await start(web(4));
    const { out } = await planOf([web(12)]);
    expect(out).toMatch(
      /^4 of 12 pods have a node already; 2 of 8 other pods fit in free room now; 2 more nodes/m,
    );
    expect(out).toMatch(/^default\/deployment\/web +12 +4 +2 +6 +0$/m);
  });

  it('counts the Pending pods of the workload once, as its own', async () => {
    await start(web(8));
    const { out } = await planOf([web(9)]);
    expect(out).toMatch(/^default\/deployment\/web +9 +6 +0 +3 +0$/m);
    expect(out).not.toMatch(/^Pending now/m);
  });

  it('says that all pods run', async () => {
    await start(web(4));
    expect(await planOf([web(4)])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^4 of 4 pods have a node already\.\n/),
    });
  });

  it('plans several workloads of several documents, each in its row', async () => {
    const api = deployment({ name: 'api', replicas: 2, pod: requests('1') });
    const { out } = await planOf([web(2), { apiVersion: 'v1', kind: 'List', items: [api] }]);
    expect(out).toMatch(/^default\/deployment\/api +2 +0 +/m);
    expect(out).toMatch(/^default\/deployment\/web +2 +0 +/m);
  });

  it('counts the DaemonSets of the manifests on each new node', async () => {
    const agent = daemonSet({ name: 'agent', pod: requests('1') });
    expect((await planOf([web(4)])).out).toMatch(/^All 4 pods fit in free room now\.$/m);
    expect((await planOf([web(4), agent])).out).toMatch(
      /^2 of 4 pods fit in free room now; 2 more nodes of workers are needed\.$/m,
    );
  });

  it('reads standard input, and takes the namespace of the context or of -n', async () => {
    const { metadata: _, ...rest } = web(2);
    const typed = stringify({ ...rest, metadata: { name: 'web' } }).split('\n');
    expect((await drover('plan -f -', { typed })).out).toMatch(/^default\/deployment\/web +2/m);
    expect((await drover('plan -f - -n shop', { typed })).out).toMatch(/^shop\/deployment\/web +2/m);
  });

  it('refuses manifests of another namespace than that of -n, as kubectl does', async () => {
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'other' } };
    const { code, out, err } = await planOf([web(2), configMap], '-n shop');
    expect([code, out]).toEqual([2, '']);
    expect(err).toBe(
      'drover: nothing is planned:\n  web.yaml, document 1, metadata.namespace: the namespace from the provided object "default" does not match the namespace "shop": give that one, or none\n',
    );
    expect((await planOf([web(2), configMap], '-n default')).code).toBe(0);
  });

  it('refuses an empty -n, as of an unset variable', async () => {
    expect(await operatorOf(world)(['plan', 'deployment/web', '-n', ''])).toMatchObject({
      code: 2,
      err: expect.stringContaining("argument '' is invalid. it is empty"),
    });
  });

  it('takes another total with --replicas and --times', async () => {
    expect((await planOf([web(4)], '--replicas 9')).out).toMatch(/^default\/deployment\/web +9 /m);
    expect((await planOf([web(4)], '--replicas 0')).out).toMatch(/^There is no pod to place\.$/m);
    expect((await planOf([web(5)], '--times 1.5')).out).toMatch(/^default\/deployment\/web +8 /m);
  });

  it('says what it ignores', async () => {
    const { out } = await planOf([
      web(2, {
        pod: {
          priorityClassName: 'system-cluster-critical',
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'topology.kubernetes.io/zone',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: { app: 'web' } },
            },
          ],
        },
      }),
    ]);
    expect(out).toMatch(
      /^note: default\/deployment\/web: topology spread with ScheduleAnyway and preemption by its priority class system-cluster-critical are ignored/m,
    );
  });

  it('names a pod that cannot be planned, and exits with 1', async () => {
    const gpu = { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }] };
    const { code, out, err } = await planOf([web(3, { pod: gpu })]);
    expect([code, err]).toEqual([1, 'drover: 3 pods cannot be planned\n']);
    expect(out).toMatch(/^default\/deployment\/web is not planned: it has ResourceClaims/m);
    expect(out).toMatch(/^default\/deployment\/web +3 +0 +\? +\? +\?$/m);
  });

  it('names file, document and field of each mistake, and plans nothing of the rest', async () => {
    const { code, out, err } = await planOf([web(2), web(2, { cpu: '5 cores' })]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(
      /^drover: nothing is planned:\n {2}web\.yaml, document 2, spec\.template\.spec\.containers\[0\]/,
    );
  });

  it.each([
    ['not: [yaml', /web\.yaml/],
    ['', /no workload with pods|web\.yaml/],
    ['{{ .Values.replicas }}', /web\.yaml/],
    ['x: &a [1]\n'.repeat(3), /web\.yaml/],
  ])('refuses %j before it asks AWS or the cluster', async (text, message) => {
    const sendHttp = () => Promise.reject(new Error('the cluster was asked'));
    const awsRequestHandler = { handle: () => Promise.reject(new Error('AWS was asked')) };
    const options = { files: { 'web.yaml': text }, sendHttp, awsRequestHandler };
    const { code, out, err } = await drover('plan -f web.yaml', options);
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(message)]);
  });

  it('refuses a file that is not there, and a folder', async () => {
    const { run } = createCliWorld();
    expect(await run('plan', '-f', 'missing.yaml', '--no-groups')).toMatchObject({
      code: 2,
      err: 'drover: there is no file missing.yaml\n',
    });
    const readFile = (path: string) =>
      path === 'k8s'
        ? Promise.reject(Object.assign(new Error('EISDIR'), { code: 'EISDIR' }))
        : Promise.resolve(createCliWorld().kubeconfig);
    expect(
      await createCliWorld({ context: { readFile } }).run('plan', '-f', 'k8s', '--no-groups'),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining('k8s is a folder: give each file with -f'),
    });
  });

  it('words the reasons of thousands of pods once', async () => {
    const { code, out } = await planOf([web(5_000)]);
    expect(code).toBe(1);
    expect(out).toMatch(/^default\/deployment\/web: 4970 pods fit nowhere, such as /m);
  });

  it('plans a hundred thousand pods at most, and says so', async () => {
    const { code, err } = await planOf([web(2_000_000)]);
    expect([code, err]).toEqual([2, expect.stringContaining('a plan is made for at most 100000')]);
  });
});

describe('drover plan deployment/NAME', () => {
  it('plans what is missing of a multiple of what runs', async () => {
    await start(web(4));
    const { code, out } = await drover('plan deployment/web --times 3');
    expect(code).toBe(0);
    expect(out).toMatch(/^default\/deployment\/web +12 +4 +2 +6 +0$/m);
    expect((await drover('plan deploy/web --replicas 12')).out).toBe(out);
  });

  it('says that there is no such workload', async () => {
    expect(await drover('plan deployment/wbe -n shop')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^drover: there is no Deployment wbe in namespace shop/),
    });
  });
});
