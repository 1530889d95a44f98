import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { clients, kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { runInShell } from './quick-starts/shell.ts';
import { openQuickStartWorld } from './quick-starts/world.ts';

const missing = clients.missing ?? kubernetes.missing;
const root = mkdtempSync(join(tmpdir(), 'removing-'));
afterAll(() => rmSync(root, { recursive: true }));

/** The blocks below a heading of the page, as one script. */
function recipe(heading: string): string {
  const section = readFileSync('docs/removing.md', 'utf8')
    .split(/^## /m)
    .find((text) => text.startsWith(heading));
  const blocks = [...(section ?? '').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block);
  if (blocks.length === 0) throw new Error(`docs/removing.md has no shell block below "${heading}"`);
  return blocks.join('\n');
}

test.skipIf(missing !== undefined)('the recipes of docs/removing.md leave nothing of Drover', async () => {
  const world = await openQuickStartWorld('eks', mkdtempSync(join(root, 'machine-')));
  onTestFinished(world.close);
  const { account, kubernetes: cluster } = world.cloud;
  const { group, clusterName, region } = world.values;
  const setUp = `
kubectl apply -f ${resolve('deploy/flow-schema.yaml')}
aws autoscaling create-or-update-tags --tags ResourceType=auto-scaling-group,ResourceId=${group},Key=drover.dev/role,Value=worker,PropagateAtLaunch=false
drover hooks install ${group}
drover hooks install ${group} --joining
aws ssm put-parameter --name /drover/${clusterName}/holds/${group}/sale --type String --value '{}'
aws ssm put-parameter --name /drover/${clusterName}/floors/${group} --type String --value '{"minSize":{"base":1,"ours":[3]}}'
aws ssm put-parameter --name /drover/${clusterName}/pki/ca.crt --type String --value x
for role in drover-dev-sweep drover-devices-sweep; do
  aws eks create-access-entry --cluster-name ${clusterName} --kubernetes-groups drover:reader --principal-arn arn:aws:iam::123456789012:role/$role
done
node=node/$(kubectl get nodes --output jsonpath='{.items[0].metadata.name}')
kubectl cordon "$node"
kubectl label "$node" drover.dev/leaving=i-0123456789abcdef0
kubectl annotate "$node" drover.dev/leaving='{}'
`;
  const script = [setUp, recipe('One group'), recipe('Everything else')]
    .join('\n')
    .replaceAll('AWS_REGION=eu-central-1', `AWS_REGION=${region}`)
    .replaceAll('DROVER_CLUSTER=prod', `DROVER_CLUSTER=${clusterName}`)
    .replaceAll('GROUP=prod-workers', `GROUP=${group}`)
    .replaceAll('STAGE=prod', 'STAGE=dev')
    .replaceAll('sleep 50', 'sleep 1');
  world.cloud.lambda.stop();
  const ended = await runInShell(script, { ...world.shell, release: root });
  expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(0);
  const { AutoScalingGroups } = account.autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [group],
  });
  const keys = (AutoScalingGroups[0]?.Tags ?? []).map(({ Key = '' }) => Key);
  expect(keys.filter((key) => key.startsWith('drover.dev/'))).toEqual([]);
  expect(AutoScalingGroups[0]?.MinSize).toBe(1);
  expect(
    account.autoScaling.operations.DescribeLifecycleHooks({ AutoScalingGroupName: group }).LifecycleHooks,
  ).toEqual([]);
  const parameters = (account.ssm.operations.DescribeParameters({}).Parameters ?? []).map(({ Name }) => Name);
  expect(parameters.filter((name) => name?.startsWith(`/drover/${clusterName}/`))).toEqual([
    `/drover/${clusterName}/pki/ca.crt`,
  ]);
  expect([...world.services.accessEntries.keys()]).toEqual([
    'arn:aws:iam::123456789012:role/drover-devices-sweep',
  ]);
  const nodes = cluster.store.of('nodes').list();
  expect(nodes.filter(({ spec }) => spec?.unschedulable)).toEqual([]);
  expect(JSON.stringify(nodes.map(({ metadata }) => metadata))).not.toContain('drover.dev/leaving');
});
