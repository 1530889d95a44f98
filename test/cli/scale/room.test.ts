import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  nodesOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { create, deployment, podsOn } from '../../../local/world/workloads.ts';
import type { SendHttp } from '../../../shared/net/http.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';
import { scaleApiUrl, sendToScaleApi } from '../through-scale-api.ts';

let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 3 });
});

/** An operator with the address of the scale API and a kubeconfig. */
function drover(line: string, options: OperatorOptions = {}) {
  const { sendHttp = world.kubernetes.sendHttp, environment, ...rest } = options;
  const api = sendToScaleApi(world);
  const both: SendHttp = (request) =>
    request.url.startsWith(scaleApiUrl) ? api(request) : sendHttp(request);
  return operatorOf(world, {
    ...rest,
    environment: { DROVER_API_URL: scaleApiUrl, ...environment },
    sendHttp: both,
  })(line);
}

/** Pods of a Deployment, spread over the nodes of 1930m CPU. */
async function start(name: string, replicas: number, cpu: string, pod: object = {}): Promise<void> {
  const containers = [{ name: 'main', image: 'app:1', resources: { requests: { cpu, memory: '64Mi' } } }];
  await create(world, deployment({ name, replicas, pod: { containers, ...pod } }));
  await world.timeline.pass(30);
}

const appOn = (app: string): string =>
  nodesOf(world).find((node) => podsOn(world, node).some(({ metadata }) => metadata?.labels?.app === app)) ??
  '';

describe('drover scale --dry-run to fewer nodes', () => {
  it('says where the pods of the fullest node would go, because Auto Scaling chooses', async () => {
    await start('big', 1, '1500m');
    await start('web', 3, '100m');
    const { code, out, err } = await drover('scale workers 2 --dry-run');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^workers: 3 -> 2; .* \(dry run\)\n/);
    expect(out).toContain(
      `Auto Scaling chooses the 1 node. If it takes the node with the most to move (${appOn('big')}):\n`,
    );
    expect(out).toMatch(/^\d replacements?: \d fits? on other nodes now\.$/m);
  });

  it('launches no node of the group that gets smaller, and counts what stays Pending', async () => {
    await start('web', 9, '500m');
    const { code, out } = await drover('scale workers 1 --dry-run --json');
    expect(code).toBe(0);
    const { room, desiredCapacity } = JSON.parse(out);
    expect(desiredCapacity).toBe(1);
    expect(room).toMatchObject({
      fitNow: 0,
      onNewNodes: 0,
      wouldStayPending: 6,
      newNodes: { workers: 0 },
      withoutGroups: null,
    });
    expect(room.nodes).toHaveLength(2);
    expect(room.placements).toHaveLength(6);
  });

  it('has no room to plan for a group that grows or stays, or with --no-room, and reads nothing for it', async () => {
    const sendHttp: SendHttp = () => Promise.reject(new Error('the cluster was read'));
    expect((await drover('scale workers 4 --dry-run', { sendHttp })).err).toBe('');
    expect(JSON.parse((await drover('scale workers 3 --dry-run --json', { sendHttp })).out).room).toBeNull();
    expect(await drover('scale workers 2 --dry-run --no-room', { sendHttp })).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^workers: 3 -> 2; [^\n]* \(dry run\)\n$/),
    });
  });

  it.each([
    ['without a kubeconfig', { hasKubeconfig: false }, 'there is no kubeconfig'],
    ['without rights on pods', { sendHttp: forbiddingPods }, 'pods'],
  ])('says in one line that it is unknown %s, and goes on', async (_, options, why) => {
    const { code, out, err } = await drover('scale workers 2 --dry-run', options);
    expect(code).toBe(0);
    expect(out).toMatch(/^workers: 3 -> 2; [^\n]* \(dry run\)\n$/);
    expect(err).toMatch(/^warning: where the pods would go is unknown: [^\n]*\n$/);
    expect(err).toContain(why);
  });

  it('says that the kubeconfig is of another cluster', async () => {
    const { code, err } = await drover('scale workers 2 --dry-run', { sendHttp: renamed });
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('no node of workers is in the cluster that the kubeconfig names'),
    ]);
  });

  it('counts free room only without DROVER_CLUSTER, and with a profile, which is for the API', async () => {
    await start('web', 9, '500m');
    const without = await drover('scale workers 1 --dry-run', { environment: { DROVER_CLUSTER: undefined } });
    expect(without.out).toMatch(/^Only free room is counted: set DROVER_CLUSTER/m);
    const folder = await mkdtemp(path.join(tmpdir(), 'drover-'));
    const AWS_SHARED_CREDENTIALS_FILE = path.join(folder, 'credentials');
    await writeFile(AWS_SHARED_CREDENTIALS_FILE, '[ops]\naws_access_key_id = A\naws_secret_access_key = s\n');
    const signed = await drover('scale workers 1 --dry-run --profile ops', {
      environment: { AWS_SHARED_CREDENTIALS_FILE },
    });
    expect(signed.out).toMatch(
      /^Only free room is counted: --profile signs for the scale API: set AWS_PROFILE/m,
    );
    await rm(folder, { recursive: true });
  });
});

const forbidden = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403 }),
};

function forbiddingPods(request: Parameters<SendHttp>[0]): ReturnType<SendHttp> {
  return /\/api\/v1\/pods/.test(request.url)
    ? Promise.resolve(forbidden)
    : world.kubernetes.sendHttp(request);
}

/** The same Nodes under other names. */
async function renamed(request: Parameters<SendHttp>[0]): ReturnType<SendHttp> {
  const response = await world.kubernetes.sendHttp(request);
  return { ...response, body: response.body.replaceAll('"name":"ip-', '"name":"other-') };
}
