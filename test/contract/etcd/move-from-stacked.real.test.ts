import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { whyNoNameServer } from '@drover/cloud-sandbox/real/etcd/name-server.ts';
import { freePort } from '@drover/cloud-sandbox/real/free-port.ts';
import { isAway } from '@drover/cloud-sandbox/real/https.ts';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { apiServerOptions } from '@drover/cloud-sandbox/real/kubernetes/command-lines.ts';
import { isReady, startComponent } from '@drover/cloud-sandbox/real/kubernetes/components.ts';
import { createItem, listItems, requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { startProcess, untilReady } from '@drover/cloud-sandbox/real/process.ts';
import { kubernetes, kwok } from '@drover/cloud-sandbox/real/programs.ts';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { furnishCluster } from '../../../local/real-world/furnish-cluster.ts';
import { droverInVpc, restoreByCommands, wellDone } from '../../../local/real-world/stacked/restore.ts';
import {
  controlPlaneGroup,
  createStackedWorld,
  type StackedWorld,
} from '../../../local/real-world/stacked/world.ts';
import { quickTimings } from '../../../local/real-world/timings.ts';
import { etcdZone } from '../../../local/wire/etcd-zone.ts';
import { snapshotKey } from '../../../shared/etcd/snapshots/names.ts';

const reason =
  kubernetes.missing ??
  kwok.missing ??
  (chosenEtcd.isInstalled
    ? whyNoNameServer()
    : `etcd ${chosenEtcd.version} is not installed: npm run real:etcd`);
const size = 3;
const namespace = '/api/v1/namespaces/shop';

/** Seconds of this machine. */
const patienceSeconds = 300;

/** A connection through the load balancer that breaks while API servers start is one more reason to look again. */
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceSeconds * 1000;
  const look = async (): Promise<boolean> => {
    try {
      return await holds();
    } catch (error) {
      if (isAway(error)) return false;
      throw error;
    }
  };
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${patienceSeconds} s`);
    await sleep(250);
  }
}

/** What stands for the control plane of kubeadm: another etcd, and an API server with the authorities that step 1 of the docs copies. */
async function openOldControlPlane({ controlPlane }: StackedWorld) {
  const directory = mkdtempSync(join(tmpdir(), 'old-'));
  const [clients, peers, port] = [await freePort(), await freePort(), await freePort()];
  const endpoint = `http://127.0.0.1:${clients}`;
  const etcd = startProcess({
    name: 'etcd',
    command: join(chosenEtcd.directory, 'etcd'),
    options: [
      `--data-dir=${join(directory, 'data')}`,
      `--listen-client-urls=${endpoint}`,
      `--advertise-client-urls=${endpoint}`,
      `--listen-peer-urls=http://127.0.0.1:${peers}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peers}`,
      `--initial-cluster=default=http://127.0.0.1:${peers}`,
    ],
    logFile: join(directory, 'etcd.log'),
  });
  const url = `https://127.0.0.1:${port}`;
  const files = { ...controlPlane.files, directory };
  const flags = apiServerOptions({ files, port, etcd: [`--etcd-servers=${endpoint}`] });
  const apiServer = startComponent(files, 'kube-apiserver', flags);
  onTestFinished(async () => {
    await Promise.all([apiServer.kill(), etcd.kill()]);
    rmSync(directory, { recursive: true, force: true });
  });
  await untilReady({ name: 'kube-apiserver', process: apiServer }, () => isReady(url, files));
  const etcdctl = (...words: readonly string[]): string =>
    execFileSync(join(chosenEtcd.directory, 'etcdctl'), [`--endpoints=${endpoint}`, ...words], {
      stdio: 'pipe',
    }).toString();
  return { admin: adminOf({ ...controlPlane, url }), apiServer, etcdctl, directory };
}

/** The objects of a workload, and the token of its ServiceAccount. */
async function furnishOld(admin: ClusterAdmin): Promise<string> {
  await createItem(admin, '/api/v1/namespaces', { metadata: { name: 'shop' } });
  await createItem(admin, `${namespace}/configmaps`, {
    metadata: { name: 'moved' },
    data: { key: 'value' },
  });
  await createItem(admin, `${namespace}/serviceaccounts`, { metadata: { name: 'web' } });
  const path = `${namespace}/serviceaccounts/web/token`;
  const { status, body } = await requestOf(admin, {
    method: 'POST',
    path,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  });
  expect(status).toBe(201);
  return (JSON.parse(body) as { readonly status: { readonly token: string } }).status.token;
}

const listed = ({ cloud }: StackedWorld) =>
  cloud.account.autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [controlPlaneGroup],
  }).AutoScalingGroups[0]?.Instances ?? [];

const idsIn = (world: StackedWorld): readonly string[] =>
  listed(world).map(({ InstanceId = '' }) => InstanceId);

const isWhole = (world: StackedWorld, without = ''): boolean =>
  listed(world).length === size &&
  listed(world).every(({ LifecycleState }) => LifecycleState === 'InService') &&
  world.targets().length === size &&
  world.apiServers().length === size &&
  !idsIn(world).includes(without);

const uidsOf = async (admin: ClusterAdmin): Promise<readonly (string | undefined)[]> => {
  const items = await listItems<Node>(admin, `${namespace}/configmaps`);
  return items.filter(({ metadata }) => metadata?.name === 'moved').map(({ metadata }) => metadata?.uid);
};

/** The move of docs/etcd.md, by its numbers. No kubeadm runs. */
describe.skipIf(reason !== undefined)(`the move from stacked etcd${reason ? `: ${reason}` : ''}`, () => {
  it('takes the objects of the old cluster, with their ids and tokens, into a group that Drover manages', {
    timeout: 900_000,
    meta: { claim: { area: 'etcd under Drover', world: `etcd ${chosenEtcd.version}` } },
  }, async () => {
    const problems: unknown[] = [];
    const world = await createStackedWorld({
      size,
      speed: 5,
      timings: quickTimings,
      onProblem: (problem) => void problems.push(problem),
    });
    onTestFinished(() => world.close());
    const { account } = world.cloud;
    // 2. The group is born as an empty cluster.
    await until('a control plane born from nothing', () => isWhole(world));
    const old = await openOldControlPlane(world);
    const token = await furnishOld(old.admin);
    const uids = await uidsOf(old.admin);
    expect(uids).toHaveLength(1);

    // 4. The old API servers stop, and the last snapshot is taken.
    await old.apiServer.stop();
    const file = join(old.directory, 'last.db');
    old.etcdctl('snapshot', 'save', file);
    const clusterId =
      /cluster_id":(\d+)/.exec(old.etcdctl('endpoint', 'status', '--write-out=json'))?.[1] ?? '';
    const prefix = world.cloud.lambda.functionOf('etcd-snapshot').environment['DROVER_ETCD_SNAPSHOTS'] ?? '';
    const key = snapshotKey(prefix.replace(/^s3:\/\/[^/]+\//, ''), {
      clusterId: BigInt(clusterId).toString(16),
      takenAt: account.clock.now(),
    });
    account.s3.operations.PutObject({ Bucket: etcdZone.snapshotBucket, Key: key, Body: readFileSync(file) });

    // 5 and 6. It is restored on one new instance, the others join, and each API server is restarted.
    const [first = '', ...others] = idsIn(world);
    await restoreByCommands(world, { first, others, snapshot: key });
    await until('three members of the restored cluster', async () => {
      const { stdout } = await droverInVpc(world)('etcd status');
      return (stdout.match(/ voter +healthy/g) ?? []).length === size && isWhole(world);
    });
    await world.restartControllers();
    await until('the objects of the old cluster', async () => {
      const moved = await uidsOf(world.admin);
      return moved.length === 1 && moved[0] === uids[0];
    });

    // 7. Drover's rights are not in the restored cluster.
    await furnishCluster(world.admin, {});
    await wellDone(droverInVpc(world)('etcd snapshot'));

    // 8. Each instance becomes a Node of the restored cluster when it boots.
    for (const InstanceId of [first, ...others]) {
      account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
        InstanceId,
        ShouldDecrementDesiredCapacity: false,
      });
      await until(`${InstanceId} replaced`, () => isWhole(world, InstanceId));
    }
    const nodes = (await listItems<Node>(world.admin, '/api/v1/nodes')).map(({ metadata }) => metadata?.name);
    const names = idsIn(world).map((id) => account.ec2.instances.find(id)?.privateDnsName);
    expect(new Set(nodes)).toEqual(new Set(names));
    expect(await uidsOf(world.admin)).toEqual(uids);
    const asked = await requestOf(
      { ...world.admin, token },
      {
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      },
    );
    expect(asked.body).toContain('system:serviceaccount:shop:web');
    expect(problems).toEqual([]);
  });
});
