import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAway } from '@drover/cloud-sandbox/real/https.ts';
import { isReady } from '@drover/cloud-sandbox/real/kubernetes/components.ts';
import { createItem, listItems, requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { addGroup } from '../../cloud/furnish.ts';
import { clusterName, hookName } from '../../names.ts';
import { runDroverIn } from '../terminal.ts';
import { droverInVpc, restoreByCommands, wellDone } from './restore.ts';
import { controlPlaneGroup, type StackedWorld } from './world.ts';

export interface StackedPlan {
  /** Instances of the control plane. */
  readonly size: number;
  readonly say: (text: string) => void;
}

/** What is done to the control plane of a world, one after the other. Each step ends once the group is whole again and kubectl has its answer. */
export interface StackedProof {
  /** Waits for the first API servers, and gives the cluster workers and a workload. */
  readonly born: () => Promise<void>;
  /** Terminates each instance in turn. */
  readonly replaceInTurn: () => Promise<void>;
  /** Replaces all instances with `drover roll`. */
  readonly roll: () => Promise<void>;
  /** One instance is lost with its data. */
  readonly loseOne: () => Promise<void>;
  /** All instances but one are lost with their data, and with them every write after the newest snapshot, which is taken first. */
  readonly loseQuorum: () => Promise<void>;
  /** The names and ids of the objects of the workload, as kubectl gets them through the load balancer. */
  readonly objects: () => Promise<readonly string[]>;
  /** Why reads through the load balancer have failed since the last call, and how many there were. */
  readonly reads: () => { readonly failed: readonly string[]; readonly of: number };
  close(): Promise<void>;
}

const workers = 'workers';
const namespace = 'shop';
const replicas = 3;
const probeMilliseconds = 250;

export function openStackedProof(world: StackedWorld, { size, say }: StackedPlan): StackedProof {
  const { autoScaling, ec2 } = world.cloud.account;
  const probe = startProbe(world);
  const listed = () =>
    autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [controlPlaneGroup] })
      .AutoScalingGroups[0]?.Instances ?? [];
  const ids = (): readonly string[] => listed().map(({ InstanceId = '' }) => InstanceId);
  const isWhole = (without: readonly string[]): boolean =>
    listed().length === size &&
    listed().every(({ LifecycleState }) => LifecycleState === 'InService') &&
    world.targets().length === size &&
    world.apiServers().length === size &&
    !ids().some((one) => without.includes(one));
  const hasReadyNodes = async (): Promise<boolean> => {
    const names = listed().map(({ InstanceId = '' }) => ec2.instances.find(InstanceId)?.privateDnsName ?? '');
    const ready = (await listItems<Node>(world.admin, '/api/v1/nodes')).filter(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
    return names.every((name) => ready.some(({ metadata }) => metadata?.name === name));
  };
  const untilWhole = async (what: string, without: readonly string[] = []): Promise<void> => {
    const begun = performance.now();
    await until(what, async () => isWhole(without) && (await hasReadyNodes()));
    await kubectl(world, ['get', 'nodes']);
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    say(`${what}: ${seconds} s, ${probe.text()}; kubectl answers through the load balancer`);
  };
  return {
    born: async () => {
      await until('an API server behind the load balancer', () =>
        isReady(world.controlPlane.url, world.controlPlane.files),
      );
      probe.take();
      await untilWhole('born from nothing');
      // No member is removed without one, and the schedule makes the first one within minutes.
      await world.cloud.lambda.invoke('etcd-snapshot', {});
      await furnish(world);
    },
    replaceInTurn: async () => {
      for (const instanceId of ids()) {
        autoScaling.operations.TerminateInstanceInAutoScalingGroup({
          InstanceId: instanceId,
          ShouldDecrementDesiredCapacity: false,
        });
        await untilWhole(`${instanceId} replaced`, [instanceId]);
      }
    },
    roll: async () => {
      const before = ids();
      ec2.operations.CreateLaunchTemplateVersion({
        LaunchTemplateName: controlPlaneGroup,
        SourceVersion: '$Latest',
        LaunchTemplateData: { ImageId: 'ami-0fedcba9876543210' },
      });
      say(await runDroverIn(world, ['roll', controlPlaneGroup, '--bake', '0s']));
      await untilWhole('all replaced by drover roll', before);
    },
    loseOne: async () => {
      const [lost = ''] = ids();
      ec2.accidents.kill(lost);
      await untilWhole(`${lost} lost and replaced`, [lost]);
    },
    loseQuorum: async () => {
      const drover = droverInVpc(world);
      await wellDone(drover('etcd snapshot'));
      await createItem(world.admin, `/api/v1/namespaces/${namespace}/configmaps`, {
        metadata: { name: 'written-too-late' },
      });
      const [first = '', ...lost] = ids();
      for (const instanceId of lost) ec2.accidents.kill(instanceId);
      await until('a status without quorum', async () => {
        const { exitCode, stdout } = await drover('etcd status');
        return exitCode === 1 && stdout.includes('has no quorum');
      });
      await restoreByCommands(world, { first, others: [] });
      await world.restartControllers();
      await untilWhole(`restored on ${first}, after ${lost.join(' and ')} were lost`, lost);
    },
    objects: async () => {
      const output =
        '--output=jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.uid} {.status.phase}{"\\n"}{end}';
      const words = ['get', '--namespace', namespace, 'configmaps,deployments,pods', output];
      const answer = await kubectl(world, words);
      return answer.trim().split('\n').toSorted();
    },
    reads: probe.take,
    close: probe.stop,
  };
}

/** Does everything, and says what it has seen. @returns whether the objects are the same at the end */
export async function proveStacked(world: StackedWorld, plan: StackedPlan): Promise<boolean> {
  const proof = openStackedProof(world, plan);
  try {
    await proof.born();
    const before = await proof.objects();
    await proof.replaceInTurn();
    await proof.roll();
    await proof.loseOne();
    await proof.loseQuorum();
    const after = await proof.objects();
    plan.say(`objects of the workload at the end:\n${after.join('\n')}`);
    return before.join() === after.join();
  } finally {
    await proof.close();
  }
}

/** Two workers, and a workload on them. */
async function furnish({ cloud, admin }: StackedWorld): Promise<void> {
  addGroup(cloud, {
    autoScalingGroupName: workers,
    clusterName,
    size: 2,
    hook: { name: hookName, heartbeatTimeoutSeconds: 3600 },
  });
  const labels = { app: 'web' };
  await createItem(admin, '/api/v1/namespaces', { metadata: { name: namespace } });
  await createItem(admin, `/api/v1/namespaces/${namespace}/configmaps`, {
    metadata: { name: 'kept' },
    data: { key: 'value' },
  });
  await createItem(admin, `/apis/apps/v1/namespaces/${namespace}/deployments`, {
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          // Not on the control plane: its pods would move with each replacement.
          affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: onWorkers } },
          containers: [{ name: 'main', image: 'registry.example/web:1' }],
        },
      },
    },
  });
  await until('pods that run', async () => {
    const pods = await listItems<Pod>(admin, `/api/v1/namespaces/${namespace}/pods`);
    return pods.length === replicas && pods.every(({ status }) => status?.phase === 'Running');
  });
}

const onWorkers = {
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'node-role.kubernetes.io/worker', operator: 'Exists' }] }],
};

/** Reads an object through the load balancer all the time, as clients do that keep their connections. */
function startProbe({ admin }: StackedWorld) {
  let seen: { readonly failed: readonly string[]; readonly of: number } = { failed: [], of: 0 };
  const ending = new AbortController();
  const read = async (): Promise<string | undefined> => {
    try {
      const { status, body } = await requestOf(admin, { method: 'GET', path: '/api/v1/namespaces/default' });
      return status === 200 ? undefined : `${status} ${body}`;
    } catch (error) {
      if (isAway(error)) return messageOf(error);
      throw error;
    }
  };
  const readAll = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const failure = await read();
      seen = { failed: [...seen.failed, ...(failure === undefined ? [] : [failure])], of: seen.of + 1 };
      await sleep(probeMilliseconds);
    }
  };
  const reading = readAll();
  return {
    take: () => {
      const taken = seen;
      seen = { failed: [], of: 0 };
      return taken;
    },
    text: (): string =>
      [`${seen.of - seen.failed.length} of ${seen.of} reads so far were good`, ...seen.failed].join('; '),
    stop: async (): Promise<void> => {
      ending.abort();
      await reading;
    },
  };
}

const run = promisify(execFile);

/** @throws Error with what kubectl wrote, if it does not end with 0 */
async function kubectl({ controlPlane }: StackedWorld, words: readonly string[]): Promise<string> {
  const options = [`--kubeconfig=${controlPlane.kubeconfig}`, '--request-timeout=20s', ...words];
  const { stdout } = await run(program(kubernetes, 'kubectl'), options);
  return stdout;
}

const patienceSeconds = 240;

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceSeconds * 1000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${patienceSeconds} s`);
    await sleep(probeMilliseconds);
  }
}
