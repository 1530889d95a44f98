import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  nodesOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { barePod, create, deployment, podsOn, request } from '../../../local/world/workloads.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';

let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 2 });
});

const drain = (flags = '', options: OperatorOptions = {}) =>
  operatorOf(
    world,
    options,
  )(`drain ${nodesOf(world)[0]} --dry-run --ignore-daemonsets${flags && ` ${flags}`}`);

/** Pods of a Deployment, spread over the two nodes of 1930m CPU. */
async function start(replicas: number, cpu: string, pod: object = {}): Promise<void> {
  const containers = [{ name: 'main', image: 'app:1', resources: { requests: { cpu, memory: '64Mi' } } }];
  await create(world, deployment({ name: 'web', replicas, pod: { containers, ...pod } }));
  await world.timeline.pass(30);
}

/** Answers one list otherwise than the API server would. */
const answering = (path: RegExp, status: number): Pick<OperatorOptions, 'sendHttp'> => ({
  sendHttp: async (sent) =>
    path.test(sent.url)
      ? {
          status,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status }),
        }
      : await world.kubernetes.sendHttp(sent),
});

describe('where the pods of a drain would go', () => {
  it('says that they fit on other nodes now', async () => {
    await start(2, '500m');
    const { code, out } = await drain();
    expect(code).toBe(0);
    expect(out).toMatch(/^1 pod would leave\.\n1 replacement: 1 fits on other nodes now\.\n$/m);
  });

  it('says how many new nodes they need, because the drained node gives no room', async () => {
    await start(6, '500m');
    const { out } = await drain();
    expect(out).toMatch(/^3 replacements: 0 fit on other nodes now, 3 on new nodes \(1 of workers\)\.$/m);
  });

  it('says which would stay Pending and why, and keeps the exit code', async () => {
    await start(1, '500m', { nodeSelector: { 'kubernetes.io/hostname': nodesOf(world)[0] } });
    const { code, out } = await drain();
    expect(code).toBe(0);
    expect(out).toMatch(/^1 replacement: 0 fit on other nodes now, 1 would stay Pending\.$/m);
    expect(out).toMatch(
      /0\/2 nodes are available: 1 node\(s\) didn't match Pod's node affinity\/selector, 1 node\(s\) were unschedulable\./,
    );
  });

  it('lets replacements share a node that the anti-affinity of the leaving pods does not refuse', async () => {
    const antiAffinity = {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/os', labelSelector: { matchLabels: { app: 'web' } } },
          ],
        },
      },
    };
    await start(1, '100m', antiAffinity);
    const [first = ''] = nodesOf(world);
    const isHere = podsOn(world, first).some(({ metadata }) => metadata?.labels?.app === 'web');
    const name = isHere ? first : (nodesOf(world)[1] ?? '');
    const { out } = await operatorOf(world)(`drain ${name} --dry-run --ignore-daemonsets`);
    expect(out).toMatch(/^1 replacement: 1 fits on other nodes now\.$/m);
  });

  it('names pods that no controller recreates, and pods that cannot be planned', async () => {
    const [node = ''] = nodesOf(world);
    await create(world, barePod('single', { nodeName: node }));
    await world.timeline.pass(20);
    expect((await drain('--force')).out).toMatch(/^No controller recreates default\/single\.$/m);
  });

  it('does not look for room for pods that have finished, which nothing makes again', async () => {
    const [node = ''] = nodesOf(world);
    await start(2, '500m');
    await create(world, barePod('load-done', { nodeName: node }));
    await world.timeline.pass(20);
    const [first] = podsOn(world, node).filter(({ metadata }) => metadata?.name === 'load-done');
    await request(world, 'PATCH', '/api/v1/namespaces/default/pods/load-done/status', {
      status: { ...first?.status, phase: 'Succeeded' },
    });
    const { out } = await drain('--json');
    const { pods, room } = JSON.parse(out);
    expect(pods).toContainEqual(expect.objectContaining({ name: 'load-done', verdict: 'evict' }));
    expect(room.placements).toEqual([
      { pod: expect.stringMatching(/^default\/web-/), node: nodesOf(world)[1] },
    ]);
  });

  it('plans no second replacement for a pod that is terminating', async () => {
    await start(2, '500m', { terminationGracePeriodSeconds: 600 });
    const [node = ''] = nodesOf(world);
    const [own] = podsOn(world, node).filter(({ metadata }) => metadata?.labels?.app === 'web');
    await request(world, 'PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: true } });
    await request(world, 'DELETE', `/api/v1/namespaces/default/pods/${own?.metadata?.name}`);
    await world.timeline.pass(2);
    const { pods, room } = JSON.parse((await drain('--json')).out);
    expect(pods).toContainEqual(
      expect.objectContaining({ name: own?.metadata?.name, verdict: 'evict', reason: 'is terminating' }),
    );
    expect(room).toMatchObject({ placements: [], fitNow: 0, wouldStayPending: 0 });
  });

  it('warns if the other pods may not be read, and shows the verdicts all the same', async () => {
    await start(2, '500m');
    const { code, out, err } = await drain('', answering(/\/api\/v1\/pods\?(?!.*nodeName)/, 403));
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^warning: where the pods would go is unknown: .*pods/),
    ]);
    expect(out).toMatch(/^1 pod would leave\.$/m);
  });

  it('needs no AWS, and says what it does not count without it', async () => {
    await start(6, '500m');
    const { code, out } = await drain('', { environment: { DROVER_CLUSTER: undefined } });
    expect(code).toBe(0);
    expect(out).toMatch(/^3 replacements: 0 fit on other nodes now, 3 would stay Pending\.$/m);
    expect(out).toMatch(/^Only free room is counted: set DROVER_CLUSTER/m);
    const denied = await drain('', { actions: ['sts:GetCallerIdentity'] });
    expect(denied.out).toMatch(/^Only free room is counted: the groups cannot be read: /m);
  });

  it('reads nothing more with --no-room', async () => {
    await start(2, '500m');
    const { code, out } = await drain('--no-room', answering(/\/api\/v1\/pods\?(?!.*nodeName)/, 403));
    expect([code, out]).toEqual([0, expect.not.stringContaining('replacement')]);
  });

  it('has the same as JSON', async () => {
    await start(6, '500m');
    const { out } = await drain('--json');
    expect(JSON.parse(out).room).toMatchObject({
      fitNow: 0,
      onNewNodes: 3,
      wouldStayPending: 0,
      newNodes: { workers: 1 },
      placements: [{ node: 'workers/new-1' }, { node: 'workers/new-1' }, { node: 'workers/new-1' }],
      withoutGroups: null,
    });
  });
});
