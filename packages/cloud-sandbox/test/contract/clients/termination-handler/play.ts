import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { expect } from 'vitest';
import {
  type RunningTerminationHandler,
  startTerminationHandler,
} from '../../../../real/node-termination-handler/start.ts';
import { type ClientsSandbox, openClientsSandbox } from '../furnished-sandbox.ts';
import { type KubectlWorld, kubectlWorld } from '../kubectl/kubectl.ts';
import { account, rightsText, workloadText } from './manifests.ts';
import { prepareStage, type Stage, statesOf } from './stage.ts';

/** The handler at work in a sandbox that is ten times as fast. */
export interface Play extends Stage, KubectlWorld {
  readonly sandbox: ClientsSandbox;
  readonly handler: RunningTerminationHandler;
  close(): Promise<void>;
}

export const patience = { interval: 250 };

export async function openPlay(): Promise<Play> {
  const home = mkdtempSync(join(tmpdir(), 'kubectl-home-'));
  const sandbox = await openClientsSandbox({ speed: 10 });
  const world = kubectlWorld({ KUBECONFIG: sandbox.files.kubeconfig, HOME: home }, 'default');
  try {
    const stage = await prepareStage(sandbox);
    await world.anywhere('apply -f -', rightsText);
    const handler = await startHandler(sandbox, world, stage.queueUrl);
    const close = async (): Promise<void> => {
      await handler.stop();
      await sandbox.close();
      rmSync(home, { recursive: true, force: true });
    };
    return { ...stage, ...world, sandbox, handler, close };
  } catch (error) {
    await sandbox.close();
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

async function startHandler(
  { doors, region, accessKeyId, secretAccessKey }: ClientsSandbox,
  { kubectl }: KubectlWorld,
  queueUrl: string,
): Promise<RunningTerminationHandler> {
  const cluster = JSON.parse(await kubectl('config view --raw -o jsonpath={.clusters[0].cluster}'));
  return startTerminationHandler({
    aws: { endpoint: doors.aws.url, region, accessKeyId, secretAccessKey },
    queueUrl,
    kubernetes: {
      server: cluster.server,
      token: (await kubectl(`create token ${account} -n kube-system`)).trim(),
      certificateAuthority: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(),
    },
    environment: {
      CHECK_TAG_BEFORE_DRAINING: 'true',
      EMIT_KUBERNETES_EVENTS: 'true',
      TAINT_NODE: 'true',
      // It begins this many seconds before the announced event, and the sandbox's clock is ahead of its own.
      NODE_TERMINATION_GRACE_PERIOD: '3600',
    },
  });
}

export interface Member {
  readonly instanceId: string;
  readonly node: string;
}

/** The one instance of the group that is in service, and its node, once that is Ready. */
export async function memberOf(play: Play): Promise<Member> {
  const inService = async (): Promise<string> =>
    Object.entries(await statesOf(play)).find(([, state]) => state === 'InService')?.[0] ?? '';
  await expect.poll(inService, patience).toMatch(/^i-/);
  const instanceId = await inService();
  const nodeOf = async (): Promise<string> => {
    const table = await play.kubectl(
      'get nodes -o custom-columns=N:.metadata.name,P:.spec.providerID --no-headers',
    );
    return (
      table
        .split('\n')
        .find((line) => line.endsWith(`/${instanceId}`))
        ?.split(' ')[0] ?? ''
    );
  };
  await expect.poll(nodeOf, patience).toMatch(/^ip-/);
  const node = await nodeOf();
  await play.kubectl(`wait --for=condition=Ready node/${node} --timeout=20s`);
  return { instanceId, node };
}

/** All pods start on the node, since the others are closed for a while. */
export async function fill(play: Play, { node }: Member): Promise<void> {
  const { kubectl, anywhere } = play;
  const names = (await kubectl('get nodes -o jsonpath={.items[*].metadata.name}')).split(' ');
  const others = names.filter((name) => name !== node).join(' ');
  await kubectl(`cordon ${others}`);
  await anywhere('delete --ignore-not-found -f -', workloadText);
  await anywhere('apply -f -', workloadText);
  await kubectl('wait --for=condition=Available deployment/served --timeout=20s');
  await kubectl('rollout status deployment/served --timeout=20s');
  await kubectl(`uncordon ${others}`);
}

export const readyPods = async ({ kubectl }: Play): Promise<number> =>
  Number(await kubectl('get deployment served -o jsonpath={.status.readyReplicas}'));

export const podsOn = ({ kubectl }: Play, { node }: Member): Promise<string> =>
  kubectl(`get pods -l app=served --field-selector spec.nodeName=${node} -o name`);

export const taintsOf = ({ kubectl }: Play, { node }: Member): Promise<string> =>
  kubectl(`get node ${node} -o jsonpath={.spec.taints[*].key}`);

/** EC2's word for it: running, terminated ... */
export async function stateOf({ ec2 }: Play, { instanceId }: Member): Promise<string> {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [instanceId] }));
  return Reservations[0]?.Instances?.[0]?.State?.Name ?? '';
}
