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

interface Followed {
  readonly maker: Maker;
  readonly route: Route;
  readonly release: string;
}

/** Runs all commands of a route in their order. */
async function run({ maker, route, release }: Followed) {
  const world = await openQuickStartWorld(maker, mkdtempSync(join(root, 'machine-')));
  onTestFinished(world.close);
  const ended = await runInShell(scriptOf(route, world.values), { ...world.shell, release });
  const said = `${ended.stdout}${ended.stderr}`;
  expect(ended.code, said).toBe(0);
  return { ...world, said };
}

/** Then waits until the instance is gone that the route terminates. */
async function follow(followed: Followed) {
  const world = await run(followed);
  const [, instanceId] = /"Terminating EC2 instance: (i-\w+)"/.exec(world.said) ?? [];
  await eventually(() => expect(memberOf(world, instanceId)).toBeUndefined());
  expect(world.problems).toEqual([]);
  return world;
}

function memberOf({ cloud, values }: QuickStartWorld, instanceId: string | undefined) {
  const { autoScaling } = cloud.account;
  const { AutoScalingGroups } = autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [values.group],
  });
  return AutoScalingGroups[0]?.Instances?.find((one) => one.InstanceId === instanceId);
}

/** The roles of the functions that ask the API server. */
function rolesWithKubeconfig({ services, values, cloud }: QuickStartWorld): readonly string[] {
  const { Resources = {} } = services.stacks.get(`drover-${values.clusterName}`) ?? {};
  return Object.values(Resources).flatMap(({ Properties }) => {
    const { FunctionName, Environment } = (Properties ?? {}) as FunctionProperties;
    return Environment?.Variables['DROVER_KUBECONFIG_PARAMETER'] === undefined
      ? []
      : [`arn:aws:iam::${cloud.account.accountId}:role/${FunctionName}`];
  });
}

interface FunctionProperties {
  readonly FunctionName?: string;
  readonly Environment?: { readonly Variables: Readonly<Record<string, string>> };
}

describe.skipIf(missing !== undefined)(
  'a quick start, followed command by command',
  { timeout: 400_000 },
  () => {
    let release: string;
    beforeAll(() => {
      release = releaseOfACopy(join(root, 'sources'));
    }, 400_000);
    afterAll(() => rmSync(root, { recursive: true, force: true }));

    test('of EKS drains the instance, and lets in the role of each function that asks the API server', async () => {
      const world = await follow({ maker: 'eks', route: [['quick-start/eks']], release });
      expect(world.said).toMatch(/Terminating:Wait .*\(budget web\)/);
      expect(world.said).toMatch(/node-leaving .* waits for 2 pods, 1 of them held/);
      expect(world.stored).toEqual([
        { kind: 'usable', what: expect.stringMatching(/^IAM tokens for https/) },
      ]);
      expect([...world.services.accessEntries.keys()].toSorted()).toEqual(
        rolesWithKubeconfig(world).toSorted(),
      );
      for (const groups of world.services.accessEntries.values()) expect(groups).toEqual(['drover']);
    });

    test('of kubeadm drains the instance, publishes a credential, and launches one more instance', async () => {
      const { said, stored } = await follow({ maker: 'kubeadm', route: [['quick-start/kubeadm']], release });
      expect(said).toMatch(/Terminating:Wait .*\(budget web\)/);
      expect(said).toContain('"role":"worker","action":"make"');
      expect(said).toMatch(/approvers +certificate-requests +nothing else approves/);
      expect(said).toMatch(/^- +i-\w+ +prod-workers .* Pending/m);
      expect(stored).toMatchObject([
        { kind: 'usable', what: 'a client certificate for https://api.example.internal:6443' },
      ]);
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
