import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CreateClusterRequest } from '@aws-sdk/client-eks';
import { ansible, clients, kubeadm, kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { quoted } from '../../../shared/base/shell-words.ts';
import { runInShell } from '../../docs/quick-starts/shell.ts';
import { type Maker, openQuickStartWorld, type QuickStartWorld } from '../../docs/quick-starts/world.ts';

const missing = ansible.missing ?? clients.missing ?? kubernetes.missing ?? kubeadm.missing;
const root = mkdtempSync(join(tmpdir(), 'ansible-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function run(world: QuickStartWorld, script: string): Promise<string> {
  const ended = await runInShell(`export PATH=$PWD/mine:$PATH ANSIBLE_PIPELINING=1\n${script}`, {
    ...world.shell,
    release: root,
  });
  const said = `${ended.stdout}${ended.stderr}`;
  expect(ended.code, said).toBe(0);
  return said;
}

/** The AWS CLI without the stand-ins of the quick starts: here the sandbox has the cluster of EKS. */
const programs = `mkdir mine
printf '#!/bin/sh\\nexec %s "$@"\\n' ${program(clients, 'aws')} > mine/aws
printf '#!/bin/sh\\nexec %s "$@"\\n' ${program(ansible, 'ansible-playbook')} > mine/ansible-playbook
chmod +x mine/*`;

const manifests = ['rbac', 'flow-schema', 'admission'].map((name) => `-f ${resolve(`deploy/${name}.yaml`)}`);

type AuthenticationMode = 'API' | 'CONFIG_MAP';

/** A group whose template has a number, in a cluster in which no function of Drover has a log-in. */
async function open(
  maker: Exclude<Maker, 'openshift'>,
  authenticationMode: AuthenticationMode | undefined,
): Promise<QuickStartWorld> {
  const world = await openQuickStartWorld(maker, mkdtempSync(join(root, 'machine-')));
  onTestFinished(world.close);
  const { account } = world.cloud;
  const { group, clusterName } = world.values;
  if (authenticationMode)
    account.eks.operations.CreateCluster({
      name: clusterName,
      accessConfig: { authenticationMode },
    } as CreateClusterRequest);
  await run(
    world,
    `${programs}
aws autoscaling update-auto-scaling-group --auto-scaling-group-name ${group} --launch-template LaunchTemplateName=${group},Version=1
printf '#!/bin/sh\\necho "{{ it }}"\\n' > part.sh`,
  );
  return world;
}

/** Characters that mean something to shells, YAML or Jinja. */
const odd = `it's {{ my }} $group #1`;
/** No rights of Drover in the cluster, a Node outside groups, and a second group, without instances. */
const withoutRights = ({ values: { group, region } }: QuickStartWorld): string =>
  `kubectl delete --ignore-not-found ${manifests.join(' ')}
kubectl create -f - <<'END'
{"apiVersion":"v1","kind":"Node","metadata":{"name":"master-1"}}
END
aws autoscaling create-auto-scaling-group --auto-scaling-group-name ${quoted(odd)} --min-size 0 --max-size 0 --availability-zones ${region}a \\
  --launch-template LaunchTemplateName=${group},Version='$Default'`;

const flags = '--user-data part.sh --tag drain-timeout=30m --role worker';

describe.skipIf(missing !== undefined)(`drover adopt --as ansible${missing ? `: ${missing}` : ''}`, () => {
  test.each([
    ['a cluster of kubeadm', 'kubeadm', undefined],
    ['a cluster of EKS with access entries', 'eks', 'API'],
    ['a cluster of EKS with aws-auth', 'eks', 'CONFIG_MAP'],
  ] as const)(
    'prints a playbook by which Ansible adopts %s, and which changes nothing when it is run again',
    { timeout: 1_500_000 },
    async (_, maker, authenticationMode) => {
      const world = await open(maker, authenticationMode);
      if (maker === 'kubeadm') await run(world, withoutRights(world));
      const groups = [
        world.values.group,
        ...(maker === 'kubeadm' ? [quoted(odd), '--exempt master-1'] : []),
      ].join(' ');
      await run(world, `drover adopt ${flags} ${groups} --as ansible > adopt.yml`);
      const first = await run(world, 'ansible-playbook adopt.yml');
      expect(first).toMatch(/changed=[1-9]/);
      expect(await run(world, `drover adopt ${flags} ${groups} --check`)).toContain('nothing to change');
      const second = await run(world, 'ansible-playbook adopt.yml');
      expect(second).toMatch(/changed=0 .*failed=0/);
      expect(world.problems).toEqual([]);
    },
  );
});
