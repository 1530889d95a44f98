import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { clients, kubeadm, kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { markOf } from '../../cli/leaving-support.ts';
import { eventually } from '../../support/eventually.ts';
import { type Everything, everythingOf } from './everything.ts';
import { runInShell } from './shell.ts';
import { type Maker, openQuickStartWorld, type QuickStartWorld } from './world.ts';

const missing = clients.missing ?? kubernetes.missing ?? kubeadm.missing;
const root = mkdtempSync(join(tmpdir(), 'in-and-out-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const manifests = ['rbac', 'flow-schema', 'admission'].map((name) => `-f ${resolve(`deploy/${name}.yaml`)}`);

async function run(world: QuickStartWorld, script: string): Promise<string> {
  const ended = await runInShell(script, { ...world.shell, release: root });
  const said = `${ended.stdout}${ended.stderr}`;
  expect(ended.code, said).toBe(0);
  return said;
}

/** The world before Drover: the sandbox has deployed it already, and CloudFormation has not made the stack yet. */
async function withoutDrover(world: QuickStartWorld): Promise<Everything> {
  const { ssm } = world.cloud.account;
  await run(
    world,
    `kubectl delete --ignore-not-found ${manifests.join(' ')}
kubectl delete secret --namespace kube-system --selector drover.dev/cluster`,
  );
  for (const { Name = '' } of ssm.operations.DescribeParameters({}).Parameters ?? [])
    ssm.operations.DeleteParameter({ Name });
  const all = await everythingOf(world, root);
  const ofNoStack = (names: unknown) =>
    (names as readonly string[]).filter((name) => !/(?:^|\/)drover-(?:dev|drover)\b/.test(name));
  return {
    ...all,
    queues: ofNoStack(all['queues']),
    rules: ofNoStack(all['rules']),
    scheduleGroups: ofNoStack(all['scheduleGroups']),
  };
}

/** CloudFormation deletes the stack, and keeps the queues. */
function deleteStack({ cloud: { account, lambda } }: QuickStartWorld): void {
  lambda.stop();
  const { operations } = account.events;
  for (const { Name } of operations.ListRules({}).Rules) {
    const { Targets } = operations.ListTargetsByRule({ Rule: Name });
    operations.RemoveTargets({ Rule: Name, Ids: Targets.map(({ Id }) => Id ?? '') });
    operations.DeleteRule({ Name });
  }
  account.scheduler.operations.DeleteScheduleGroup({ Name: 'drover-drover' });
}

function groupOf({ cloud, values }: QuickStartWorld) {
  return cloud.account.autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [values.group],
  }).AutoScalingGroups[0];
}

/** What the quick starts do before the group. */
const letIn: Readonly<Record<Exclude<Maker, 'openshift'>, string>> = {
  eks: `drover rbac --no-service-account | kubectl apply -f - -f ${resolve('deploy/flow-schema.yaml')}
kubectl config view --raw --minify --flatten -o json > drover.kubeconfig
aws ssm put-parameter --name /drover/$DROVER_CLUSTER/kubeconfig --type SecureString --tier Intelligent-Tiering --value file://drover.kubeconfig
let-in`,
  kubeadm: `drover rbac --bootstrap-groups system:bootstrappers:drover:worker | kubectl apply -f - -f ${resolve('deploy/flow-schema.yaml')}
drover kubeconfig --yes --server "$(kubectl config view --minify --output 'jsonpath={.clusters[0].cluster.server}')"
let-in`,
};

/** A drain, a hold that raises MinSize, a schedule, and what a run leaves that was killed: a Node with a cordon and marks of Drover's. */
async function use(world: QuickStartWorld): Promise<void> {
  const { group } = world.values;
  await run(
    world,
    `drover hold create ${group} 3 --for 8h --name sale
drover schedule create ${group} 3 --name office --cron '0 8 ? * MON-FRI *' --time-zone UTC --for 2h --lead 10m`,
  );
  const [leaving] = groupOf(world)?.Instances ?? [];
  const instanceId = leaving?.InstanceId ?? '';
  await run(
    world,
    `aws autoscaling terminate-instance-in-auto-scaling-group --no-should-decrement-desired-capacity --instance-id ${instanceId}`,
  );
  await eventually(() => {
    const members = groupOf(world)?.Instances ?? [];
    expect(members.map((one) => one.InstanceId)).not.toContain(instanceId);
    expect(members.map((one) => one.LifecycleState)).toEqual(['InService', 'InService', 'InService']);
    expect(groupOf(world)?.MinSize).toBe(3);
  });
}

/** Passes see the pause within 50 s, which are 10 s here. */
async function leaveMarked(world: QuickStartWorld): Promise<string> {
  const { group } = world.values;
  const [marked] = groupOf(world)?.Instances ?? [];
  const instanceId = marked?.InstanceId ?? '';
  const at = new Date().toISOString();
  const mark = formatLeavingMark(markOf({ instanceId, since: at, renewedAt: at, cause: 'rebalance' }));
  return await run(
    world,
    `drover pause ${group}
sleep 10
node=$(kubectl get nodes --output json | jq --raw-output '.items[] | select(.spec.providerID | endswith("${instanceId}")) | .metadata.name')
kubectl cordon "$node"
kubectl label node "$node" drover.dev/leaving=${instanceId} node.kubernetes.io/exclude-from-external-load-balancers=true
kubectl annotate node "$node" drover.dev/leaving='${mark}'
drover leave ${group} --yes`,
  );
}

describe.skipIf(missing !== undefined)('a cluster that Drover entered and left', { timeout: 300_000 }, () => {
  test.each(['eks', 'kubeadm'] as const)('is as before, as %s has made it', async (maker) => {
    const world = await openQuickStartWorld(maker, mkdtempSync(join(root, 'machine-')));
    onTestFinished(world.close);
    const { group } = world.values;
    const before = await withoutDrover(world);
    expect(JSON.stringify(before)).not.toContain('drover.dev/');
    await run(world, letIn[maker]);
    await run(world, `drover adopt ${group} --yes`);
    if (maker === 'kubeadm')
      await run(
        world,
        'aws lambda invoke --function-name drover-$DROVER_CLUSTER-bootstrap-credential /dev/stdout',
      );
    await use(world);
    const during = await everythingOf(world, root);
    for (const kind of ['group', 'hooks', 'parameters', 'schedules', 'clusterroles', 'flowschemas'])
      expect(during[kind]).not.toEqual(before[kind]);
    // Only Drover approves meanwhile.
    expect(JSON.stringify(during['clusterrolebindings'])).not.toContain('node-autoapprove');
    await leaveMarked(world);
    deleteStack(world);
    expect(await run(world, 'drover uninstall --yes --stage dev')).toContain('RBAC objects: 0 left');
    expect(await everythingOf(world, root)).toEqual(before);
    expect(world.problems).toEqual([]);
  });
});
