import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clients, kubeadm, kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { releaseOfACopy } from '../../support/release-of-a-copy.ts';
import { scriptOf } from './page.ts';
import { runInShell } from './shell.ts';
import { openQuickStartWorld, type QuickStartWorld } from './world.ts';

const missing = clients.missing ?? kubernetes.missing ?? kubeadm.missing;
const root = mkdtempSync(join(tmpdir(), 'quick-starts-'));

/** Runs all commands of a page in its order, and waits until the instance is gone that the page terminates. */
async function follow(page: 'eks' | 'kubeadm', release: string) {
  const world = await openQuickStartWorld(page, join(root, page));
  onTestFinished(world.close);
  const ended = await runInShell(scriptOf(page, world.values), { ...world.shell, release });
  const said = `${ended.stdout}${ended.stderr}`;
  expect(ended.code, said).toBe(0);
  const [, instanceId] = /"Terminating EC2 instance: (i-\w+)"/.exec(said) ?? [];
  await eventually(() => expect(memberOf(world, instanceId)).toBeUndefined());
  expect(world.problems).toEqual([]);
  return { ...world, said };
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
      const world = await follow('eks', release);
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
      const { said, stored } = await follow('kubeadm', release);
      expect(said).toMatch(/Terminating:Wait .*\(budget web\)/);
      expect(said).toContain('"role":"worker","action":"make"');
      expect(said).toMatch(/approvers +certificate-requests +nothing else approves/);
      expect(said).toMatch(/^- +i-\w+ +prod-workers .* Pending/m);
      expect(stored).toMatchObject([
        { kind: 'usable', what: 'a client certificate for https://api.example.internal:6443' },
      ]);
    });
  },
);
