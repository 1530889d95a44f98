import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createHttpApi, createIamAuthorizer } from '@drover/cloud-sandbox/lambda';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { userDataOfEtcd } from '../../local/cloud/etcd-user-data.ts';
import {
  bootstrapperParameter,
  furnishBootstrapper,
  manifestsFor311,
  release311,
  withoutBootstrap,
} from '../../local/cloud/openshift-3.11.ts';
import { roleOf } from '../../local/cloud/role.ts';
import { clusterName, joiningHookName } from '../../local/names.ts';
import { isWhole } from '../../local/story/etcd-story.ts';
import { makeWebhookSecret } from '../../local/story/log-in.ts';
import { addControllers } from '../../local/story/seeds/controllers.ts';
import { droverOn } from '../../local/story/seeds/drover-command.ts';
import { eksAuth } from '../../local/story/seeds/eks-auth.ts';
import { eksJoin } from '../../local/story/seeds/eks-join.ts';
import { kubecfn } from '../../local/story/seeds/kubecfn.ts';
import { openshiftAsg } from '../../local/story/seeds/openshift-asg.ts';
import { openshiftIam } from '../../local/story/seeds/openshift-iam.ts';
import { play } from '../../local/story/seeds/play.ts';
import { simulatedStage } from '../../local/story/seeds/stage.ts';
import type { SeedStory } from '../../local/story/seeds/step.ts';
import { viewOf } from '../../local/story/view.ts';
import type { DroverWorld } from '../../local/world/drover-world.ts';
import { withWorkers } from '../../local/world/drover-world.ts';
import { createEtcdDroverWorld, domain, zoneId } from '../../local/world/etcd/etcd-world.ts';
import type { RbacManifest } from '../../local/world/rbac.ts';
import { create, deployment } from '../../local/world/workloads.ts';
import { sendToHttpApi } from '../cli/run-drover.ts';
import { kubeconfigFor } from '../cli/support.ts';

/** Three workers whose kubelets ask for their certificates, with pods, and a hook that waits for a node. */
async function sandbox({ cluster }: Pick<SeedStory, 'cluster'> = {}): Promise<DroverWorld> {
  const is311 = cluster === 'openshift-3.11';
  const world: DroverWorld = createEtcdDroverWorld({
    snapshotBucket: 'snapshots',
    kubelets: {
      ask: {
        asks: (instance) => roleOf(instance) === 'worker',
        bootstrapParameter: () =>
          is311
            ? bootstrapperParameter
            : (world.lambda.functionOf('bootstrap-credential').environment.DROVER_BOOTSTRAP_PARAMETER ?? ''),
      },
    },
    etcd: { userData: userDataOfEtcd(clusterName, ['etcd', 'control-plane']) },
    ...(is311 && {
      kubernetes: release311,
      editWiring: withoutBootstrap,
      editRbac: () => parsedManifests(manifestsFor311(readFileSync('deploy/rbac.yaml', 'utf8'))),
    }),
  });
  makeWebhookSecret(world);
  if (is311) furnishBootstrapper(world, 'https://kubernetes.sandbox');
  else await world.lambda.invoke('bootstrap-credential', {});
  await withWorkers(world, { size: 3 });
  world.account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: joiningHookName,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
    HeartbeatTimeout: 300,
    DefaultResult: 'CONTINUE',
  });
  return world;
}

const parsedManifests = (yaml: string): readonly RbacManifest[] =>
  parseAllDocuments(yaml).map((document) => document.toJS() as RbacManifest);

/** `drover` of an administrator, which reaches the scale API, AWS and the cluster in process. */
function droverIn(world: DroverWorld) {
  const { account, clock, doors, kubernetes, lambda, wiring } = world;
  const all = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['*'], Resource: '*' }],
  };
  const user = account.iam.putUser({ userName: 'pipeline', policies: [all] });
  const authorize = createIamAuthorizer({ iam: account.iam, clock, signingClock: clock });
  const api = createHttpApi({ wiring, lambda, clock, random: createRandom(9), authorize });
  const host = `${api.apiId}.execute-api.eu-west-1.amazonaws.com`;
  const { awsRequestHandler, sendHttp } = doors('operator');
  return droverOn({
    environment: {
      AWS_REGION: account.region,
      AWS_ACCESS_KEY_ID: user.accessKeyId,
      AWS_SECRET_ACCESS_KEY: user.secretAccessKey,
      DROVER_CLUSTER: 'drover',
      DROVER_API_URL: `https://${host}`,
      DROVER_ETCD_DOMAIN: domain,
      DROVER_ETCD_ZONE_ID: zoneId,
      KUBECONFIG: '/kubeconfig',
    },
    homeDirectory: '/home/ana',
    clock,
    pause: (milliseconds) => new Promise((resolve) => void clock.after(milliseconds, resolve)),
    readFile: (path) =>
      path === '/kubeconfig' ? Promise.resolve(kubeconfigFor(kubernetes.adminToken)) : readFile(path, 'utf8'),
    runProgram: () => Promise.reject(new Error('no program here')),
    awsRequestHandler,
    sendHttp: (request) =>
      new URL(request.url).host === host ? sendToHttpApi(api)(request) : sendHttp(request),
  });
}

async function told(world: DroverWorld, story: SeedStory, drover = droverIn(world)) {
  const said: string[] = [];
  const ended = { isTrue: false };
  let command: Promise<unknown> | undefined;
  const ending = play(story, {
    stage: simulatedStage(world),
    clock: world.clock,
    drover: async (line) => {
      const run = drover(line);
      command = run;
      return await run;
    },
    say: (text) => void said.push(text),
  }).finally(() => {
    ended.isTrue = true;
  });
  while (!ended.isTrue) {
    // A command loads its modules in the time of this machine, in which no simulated time passes.
    await command;
    await world.timeline.pass(1);
  }
  return { said, isWell: await ending };
}

async function expectWell(world: DroverWorld, story: SeedStory): Promise<void> {
  const { said, isWell } = await told(world, story);
  expect(said.filter((line) => line.includes('failed'))).toEqual([]);
  expect(said.filter((line) => line.startsWith('Seen: '))).toHaveLength(story.steps.length);
  expect(isWell).toBe(true);
  expect(world.problems).toEqual([]);
}

test('the story of why workers of EKS join plays whole', async () => {
  await expectWell(await sandbox(), eksJoin);
});

test('the story of authentication and autoscaling on EKS plays whole', async () => {
  const world = await sandbox();
  await create(world, deployment({ name: 'web', replicas: 2 }));
  await expectWell(world, eksAuth);
});

test('the story of OpenShift 3.11 on an Auto Scaling group plays whole', async () => {
  await expectWell(await sandbox(openshiftAsg), openshiftAsg);
});

test('the story of OpenShift 3.11 with IAM roles plays whole', async () => {
  await expectWell(await sandbox(openshiftIam), openshiftIam);
});

test('the story of kubecfn plays whole', async () => {
  const world = await sandbox(kubecfn);
  addControllers(world);
  await world.timeline.until(() => isWhole(viewOf(world)), {
    withinSeconds: 1200,
    what: 'etcd on the control plane',
  });
  await world.lambda.invoke('etcd-snapshot', {});
  await expectWell(world, kubecfn);
});

test('a step that does not come within its time is said, and ends the story', async () => {
  const { said, isWell } = await told(await sandbox(), {
    name: 'never',
    title: 'Never',
    steps: [{ author: 'a', drover: 'b', see: () => undefined, withinSeconds: 30 }, ...eksJoin.steps],
  });
  expect(isWell).toBe(false);
  expect(said.at(-1)).toBe('Step 1 of 6 failed: nothing of it was seen within 30 s. The story ends here.');
});

test.each([
  [
    'the bootstrap kubeconfig in base64',
    bootstrapperParameter,
    (value: string) => Buffer.from(value).toString('base64'),
  ],
  ['the credential of the registry', '/drover/drover/registry', (value: string) => value],
])('a cloud-config that has a credential in it ends the story: %s', async (_, parameter, written) => {
  const world = await sandbox(openshiftAsg);
  const drover = droverIn(world);
  const { said, isWell } = await told(world, openshiftAsg, async (line) => {
    const run = await drover(line);
    return { ...run, stdout: run.stdout + written(world.account.ssm.controls.value(parameter) ?? '') };
  });
  expect(isWell).toBe(false);
  expect(said.at(-1)).toBe('Step 1 of 6 failed: nothing of it was seen within 5 s. The story ends here.');
});

test('a command that fails ends the story with what it said', async () => {
  const world = await sandbox();
  const drover = () => Promise.resolve({ exitCode: 1, stdout: '', stderr: 'drover: the API is gone\n' });
  const { said, isWell } = await told(world, eksJoin, drover);
  expect(isWell).toBe(false);
  expect(said.at(-1)).toContain('Step 1 of 5 failed: drover ended with 1: drover: the API is gone.');
});
