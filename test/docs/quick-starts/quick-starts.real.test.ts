import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clients, kubeadm, kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { releaseOfACopy } from '../../support/release-of-a-copy.ts';
import { type Route, scriptOf } from './page.ts';
import { runInShell } from './shell.ts';
import { type Maker, openQuickStartWorld, type QuickStartWorld } from './world.ts';

const missing = clients.missing ?? kubernetes.missing ?? kubeadm.missing;
const root = mkdtempSync(join(tmpdir(), 'quick-starts-'));
/** The headings of a page without the one that undoes it. */
const steps = ['# Quick start', '1.', '2.', '3.', '4.'];

interface Followed {
  readonly maker: Maker;
  readonly route: Route;
  readonly release: string;
}

/** Runs all commands of a route in their order. */
async function run({ maker, route, release }: Followed) {
  const world = await openQuickStartWorld(maker, mkdtempSync(join(root, 'machine-')));
  onTestFinished(world.close);
  const said = await say(scriptOf(route, world.values), world, release);
  return { ...world, said };
}

async function say(script: string, { shell }: QuickStartWorld, release: string): Promise<string> {
  const ended = await runInShell(script, { ...shell, release });
  const said = `${ended.stdout}${ended.stderr}`;
  expect(ended.code, said).toBe(0);
  return said;
}

/** Runs the commands of a later day, with the variables and in the folder that the first commands have left. */
async function goOn(route: Route, world: QuickStartWorld, release: string): Promise<string> {
  const { cloud, values } = world;
  const variables = `DROVER_CLUSTER=${values.clusterName} GROUP=${values.group} ACCOUNT=${cloud.account.accountId}`;
  const script = scriptOf(route, values);
  return await say(`export ${variables}\ncd dist/release/drover-*/\n${script}`, world, release);
}

/** Runs the commands that undo a page once nothing waits. */
async function undo(page: string, world: QuickStartWorld, release: string): Promise<string> {
  await eventually(() => expect(new Set(statesOf(world))).toEqual(new Set(['InService'])));
  return await goOn([[page, 'Undo it']], world, release);
}

/** Then waits until the instance is gone that the route terminates. */
async function follow(followed: Followed) {
  const world = await run(followed);
  const [, instanceId] = /"Terminating EC2 instance: (i-\w+)"/.exec(world.said) ?? [];
  await eventually(() => expect(memberOf(world, instanceId)).toBeUndefined());
  expect(world.problems).toEqual([]);
  return world;
}

function groupOf({ cloud, values }: QuickStartWorld) {
  const { operations } = cloud.account.autoScaling;
  const AutoScalingGroupName = values.group;
  const { AutoScalingGroups } = operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [AutoScalingGroupName],
  });
  const { LifecycleHooks } = operations.DescribeLifecycleHooks({ AutoScalingGroupName });
  return { ...AutoScalingGroups[0], LifecycleHooks };
}

const memberOf = (world: QuickStartWorld, instanceId: string | undefined) =>
  groupOf(world).Instances?.find((one) => one.InstanceId === instanceId);

const statesOf = (world: QuickStartWorld) =>
  groupOf(world).Instances?.map(({ LifecycleState }) => LifecycleState);

/** The roles of the functions that ask the API server: prewarm is one of them only with holds for pods. */
function rolesWithKubeconfig({ services, values, cloud }: QuickStartWorld): readonly string[] {
  const { Resources = {} } = services.stacks.get(`drover-${values.clusterName}`) ?? {};
  return Object.values(Resources).flatMap(({ Properties }) => {
    const { FunctionName, Environment } = (Properties ?? {}) as FunctionProperties;
    const { DROVER_KUBECONFIG_PARAMETER: kubeconfig, DROVER_POD_HOLDS: podHolds } =
      Environment?.Variables ?? {};
    return kubeconfig === undefined || podHolds === 'off'
      ? []
      : [`arn:aws:iam::${cloud.account.accountId}:role/${FunctionName}`];
  });
}

interface FunctionProperties {
  readonly FunctionName?: string;
  readonly Environment?: { readonly Variables: Readonly<Record<string, string>> };
}

/** The roles that Drover has in the cluster with rights on Secrets or certificate requests. */
const rightsOnSecrets = ({ cloud: { kubernetes } }: QuickStartWorld): readonly string[] =>
  [
    ...kubernetes.store.of('roles.rbac.authorization.k8s.io').list(),
    ...kubernetes.store.of('clusterroles.rbac.authorization.k8s.io').list(),
  ]
    .filter(({ metadata }) => metadata?.name?.startsWith('drover'))
    .filter((role) => /secrets|certificatesigningrequests|signers/.test(JSON.stringify(role.rules)))
    .map(({ metadata }) => metadata?.name ?? '');

describe.skipIf(missing !== undefined)(
  'a quick start, followed command by command',
  { timeout: 400_000 },
  () => {
    let release: string;
    beforeAll(() => {
      release = releaseOfACopy(join(root, 'sources'));
    }, 400_000);
    afterAll(() => rmSync(root, { recursive: true, force: true }));

    test('of EKS drains the instance, lets in the role of each function that asks the API server, is upgraded, and is undone', async () => {
      const world = await follow({ maker: 'eks', route: [['quick-start/eks', ...steps]], release });
      expect(world.said).toMatch(/Terminating:Wait .*\(budget web\)/);
      expect(world.said).toMatch(/node-leaving .* waits for 2 pods, 1 of them held/);
      expect(world.stored).toEqual([
        { kind: 'usable', what: expect.stringMatching(/^IAM tokens for https/) },
      ]);
      expect([...world.services.accessEntries.keys()].toSorted()).toEqual(
        rolesWithKubeconfig(world).toSorted(),
      );
      const readers = ['sweep', 'scale-api'];
      for (const [arn, groups] of world.services.accessEntries)
        expect([arn, groups]).toEqual([
          arn,
          [readers.some((name) => arn.endsWith(`-${name}`)) ? 'drover:reader' : 'drover'],
        ]);
      expect(rightsOnSecrets(world)).toEqual([]);
      expect(world.services.stacks.get(`drover-${world.values.clusterName}`)?.parameters).toMatchObject({
        OperatorRole: expect.stringMatching(/:role\/operators$/),
        AlarmEmail: 'you@example.com',
      });
      const { stacks } = world.services;
      const stackName = `drover-${world.values.clusterName}`;
      const before = stacks.get(stackName);
      const upgrade = await goOn([['deployment', 'Upgrading a release']], world, release);
      expect(upgrade).toContain('aws cloudformation describe-change-set');
      expect(stacks.get(stackName)).toEqual({ ...before, status: 'UPDATE_COMPLETE' });
      await undo('quick-start/eks', world, release);
      expect(groupOf(world).LifecycleHooks).toEqual([]);
      expect([...world.services.accessEntries, ...world.services.stacks]).toEqual([]);
    });

    test('of kubeadm drains the instance, publishes a credential, launches one more instance, and is undone', async () => {
      const route: Route = [['quick-start/kubeadm', ...steps]];
      const world = await follow({ maker: 'kubeadm', route, release });
      const { said, stored } = world;
      expect(said).toMatch(/Terminating:Wait .*\(budget web\)/);
      expect(said).toContain('"role":"worker","action":"make"');
      expect(said).toMatch(/^\d+ ok: .*\bapprovers\b/m);
      expect(said).toMatch(/^- +i-\w+ +prod-workers .* Pending/m);
      expect(stored).toMatchObject([{ kind: 'usable', what: expect.stringMatching(/^a token for https/) }]);
      expect(await undo('quick-start/kubeadm', world, release)).toMatch(
        /node-autoapprove-certificate-rotation created/,
      );
      expect(groupOf(world).LifecycleHooks).toEqual([]);
      expect([...world.services.stacks]).toEqual([]);
    });

    test('of OpenShift 4 drains the instance with the kubeconfig that it stores', async () => {
      const eks = 'quick-start/eks';
      const route: Route = [
        [eks, '# Quick start', '1.'],
        ['quick-start/openshift', '4,'],
        [eks, '3.', '4.'],
      ];
      const { said, stored } = await follow({ maker: 'openshift', route, release });
      expect(said).toMatch(/Terminating:Wait .*\(budget web\)/);
      expect(stored).toMatchObject([{ kind: 'usable', what: expect.stringMatching(/^a token for https/) }]);
    });

    test('of OpenShift 3.11 makes user data that reads the stored credential', async () => {
      const { said, cloud, values } = await run({
        maker: 'openshift',
        route: [['quick-start/openshift', '3.11']],
        release,
      });
      expect(said).toContain('system:serviceaccount:openshift-infra:node-bootstrapper\n');
      const { Parameters } = cloud.account.ssm.operations.DescribeParameters({});
      const name = `/drover/${values.clusterName}/node-bootstrapper-kubeconfig`;
      expect(Parameters?.find(({ Name }) => Name === name)?.KeyId).toMatch(/nodes$/);
      expect(said).toMatch(/made version \d+ of/);
    });
  },
);
