import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cloud } from '@drover/cloud-sandbox';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import {
  openRealEtcdMachines,
  type RealEtcdMachines,
} from '@drover/cloud-sandbox/real/etcd/etcd-machines.ts';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import {
  type ClusterAccess,
  createClusterAccess,
} from '@drover/cloud-sandbox/real/kubernetes/cluster-access.ts';
import {
  isReady,
  startControllerManager,
  startScheduler,
} from '@drover/cloud-sandbox/real/kubernetes/components.ts';
import { startKwok } from '@drover/cloud-sandbox/real/kubernetes/nodes/kwok.ts';
import { registerForKwok } from '@drover/cloud-sandbox/real/kubernetes/nodes/real-nodes.ts';
import { apiServerPort, createStacked } from '@drover/cloud-sandbox/real/kubernetes/stacked.ts';
import { openLoadBalancer } from '@drover/cloud-sandbox/real/load-balancer.ts';
import { ensurePackaged } from '../../../scripts/build/ensure-packaged.ts';
import { userDataOfEtcd } from '../../cloud/etcd-user-data.ts';
import { roleOf } from '../../cloud/role.ts';
import { addBesideGroup } from '../../etcd-group.ts';
import { clusterName } from '../../names.ts';
import { furnishEtcd } from '../../wire/furnish-etcd.ts';
import { type Account, type AccountOptions, openAccount } from '../account.ts';
import { furnishCluster, publishKubeconfigs } from '../furnish-cluster.ts';

/** A simulated account whose control-plane instances run real etcd and real API servers side by side, behind a load balancer. */
export interface StackedWorld extends Pick<Account, 'cloud' | 'clock' | 'aws' | 'scaleApi'> {
  /** By the load balancer. */
  readonly controlPlane: ClusterAccess;
  readonly admin: ClusterAdmin;
  readonly etcd: Pick<RealEtcdMachines, 'members' | 'addressOf' | 'credentials'>;
  /** The instances to which the load balancer leads. */
  readonly targets: () => readonly string[];
  /** The private addresses of the instances whose API server runs, also of those that the load balancer does not know. */
  readonly apiServers: () => readonly string[];
  /** Restarts the API server on an instance. */
  readonly restartApiServer: (privateIpAddress: string) => Promise<void>;
  /** Restarts the controller manager, the scheduler and kwok, once an API server answers. */
  readonly restartControllers: () => Promise<void>;
  close(): Promise<void>;
}

export const controlPlaneGroup = 'control-plane';
const readyMilliseconds = 250;

/**
 * Opens the account with a group of control-plane instances, which has no instance yet, and lets its time pass. What an operator does once the
 * API servers answer, and what runs elsewhere in a cluster, follows by itself.
 */
export async function createStackedWorld(
  options: AccountOptions & { readonly size: number },
): Promise<StackedWorld> {
  const { onProblem } = options;
  await ensurePackaged({ bundles: 'fresh' });
  const directory = mkdtempSync(join(tmpdir(), 'world-'));
  let zones: Cloud['account']['route53']['controls']['served'] = () => [];
  let targets: () => readonly RegisteredTarget[] = () => [];
  const balancer = await openLoadBalancer(() =>
    targets().map(({ instanceId, isDraining }) => {
      const address = account.cloud.account.ec2.instances.find(instanceId)?.privateIpAddress ?? '';
      return { host: etcd.addressOf(address), port: apiServerPort, isDraining };
    }),
  );
  const access = await createClusterAccess(directory, `https://127.0.0.1:${balancer.port}`);
  const admin = adminOf(access);
  const etcd = await openRealEtcdMachines({ etcd: chosenEtcd, onProblem, zones: () => zones() });
  const stacked = createStacked({
    access,
    etcdCredentials: etcd.credentials,
    addressOf: etcd.addressOf,
    now: () => account.clock.now(),
    onProblem,
  });
  const account = await openAccount(options, {
    sendToKubernetes: admin.sendHttp,
    kubelets: {
      joinSeconds: 0,
      configure: () => ({}),
      startKubelet: (node, instance) => {
        if (roleOf(instance) === 'control-plane') return stacked.boot(node, instance.privateIpAddress);
        registerForKwok(admin, node, account.clock.now()).catch(onProblem);
        return { nodeName: node.nodeName, alive: true, stop: () => {}, pause: () => {}, resume: () => {} };
      },
    },
    etcd: {
      bootSeconds: 1,
      machines: etcd.machines,
      userData: {
        ...userDataOfEtcd(clusterName),
        runsOn: (instance) => roleOf(instance) === 'control-plane',
      },
    },
  });
  const { cloud, clock, aws, scaleApi, wiring } = account;
  zones = cloud.account.route53.controls.served;
  targets = addBehindLoadBalancer(cloud, options.size);
  publishKubeconfigs(cloud, { wiring, access });
  furnishEtcd(cloud, etcd.credentials);
  account.start();
  const ending = new AbortController();
  let elsewhere = runElsewhere(cloud, access, ending.signal).catch((error: unknown) => {
    onProblem(error);
    return [];
  });
  return {
    cloud,
    clock,
    aws,
    scaleApi,
    controlPlane: access,
    admin,
    etcd,
    targets: () => targets().flatMap(({ instanceId, isDraining }) => (isDraining ? [] : instanceId)),
    apiServers: stacked.running,
    restartApiServer: stacked.restart,
    restartControllers: async () => {
      await Promise.all((await elsewhere).map((one) => one.kill()));
      const started = untilAnswers(access, ending.signal).then(() => startControllers(access));
      // The caller hears of a failure, and `close` still ends all other programs.
      elsewhere = started.catch(() => []);
      await started;
    },
    close: async () => {
      ending.abort();
      account.stop();
      await Promise.all((await elsewhere).map((one) => one.kill()));
      await stacked.close();
      await etcd.close();
      balancer.close();
      await account.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface RegisteredTarget {
  readonly instanceId: string;
  readonly isDraining: boolean;
}

/** As docs/etcd.md says it: clients that keep their connections leave an API server before its member is removed. */
const attributes = {
  'deregistration_delay.timeout_seconds': '10',
  'deregistration_delay.connection_termination.enabled': 'true',
};

/** The group of control-plane instances with the target group of its load balancer, whose targets are returned when they are asked for. */
function addBehindLoadBalancer(cloud: Cloud, size: number): () => readonly RegisteredTarget[] {
  const { operations } = cloud.account.loadBalancing;
  const { TargetGroups } = operations.CreateTargetGroup({
    Name: 'api',
    Protocol: 'TCP',
    Port: apiServerPort,
    VpcId: cloud.account.ec2.instances.subnets()[0]?.vpcId,
  });
  const arn = TargetGroups[0]?.TargetGroupArn ?? '';
  operations.ModifyTargetGroupAttributes({
    TargetGroupArn: arn,
    Attributes: Object.entries(attributes).map(([Key, Value]) => ({ Key, Value })),
  });
  addBesideGroup(cloud, {
    size,
    autoScalingGroupName: controlPlaneGroup,
    heartbeatTimeoutSeconds: 3600,
    settings: { TargetGroupARNs: [arn], MaxSize: 10 },
  });
  return () =>
    operations
      .DescribeTargetHealth({ TargetGroupArn: arn })
      .TargetHealthDescriptions.map(({ Target, TargetHealth }) => ({
        instanceId: Target?.Id ?? '',
        isDraining: TargetHealth?.State === 'draining',
      }));
}

/** Waits for the first API server behind the load balancer, as an operator would. */
async function runElsewhere(cloud: Cloud, access: ClusterAccess, signal: AbortSignal) {
  await untilAnswers(access, signal);
  if (signal.aborted) return [];
  await furnishCluster(adminOf(access), {});
  void cloud.lambda.invoke('bootstrap-credential', {});
  return await startControllers(access);
}

async function untilAnswers({ url, files }: ClusterAccess, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isReady(url, files))) await sleep(readyMilliseconds);
}

const startControllers = (access: ClusterAccess) =>
  Promise.all([
    startControllerManager(access),
    startScheduler(access),
    startKwok({ directory: access.files.directory, kubeconfig: access.kubeconfig }),
  ]);
