import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import type { KubectlWorld } from './kubectl.ts';
import { budgetText, deploymentText, podText } from './manifests.ts';

const nodesOf = async ({ kubectl }: KubectlWorld): Promise<readonly string[]> =>
  (await kubectl('get nodes -o jsonpath={.items[*].metadata.name}')).split(' ');

/** Leaves the node to the next case as it was. */
async function onNode(
  world: KubectlWorld,
  run: (node: string) => Promise<void>,
  given?: string,
): Promise<void> {
  const node = given ?? (await nodesOf(world))[0] ?? '';
  try {
    await run(node);
  } finally {
    await world.kubectl(`uncordon ${node}`);
  }
}

const podsOn = ({ kubectl, namespace }: KubectlWorld, node: string): Promise<string> =>
  kubectl(`get pods -n ${namespace} --field-selector spec.nodeName=${node} -o name`);

/** Nodes, as they are closed, emptied and opened again. */
export const nodeCases: Cases<KubectlWorld> = {
  'cordon closes a node, once, and uncordon opens it': (world) =>
    onNode(world, async (node) => {
      const { kubectl } = world;
      expect(await kubectl(`cordon ${node}`)).toBe(`node/${node} cordoned\n`);
      expect(await kubectl(`cordon ${node}`)).toBe(`node/${node} already cordoned\n`);
      expect(await kubectl(`get node ${node}`)).toMatch(/ Ready,SchedulingDisabled /);
      expect(await kubectl(`describe node ${node}`)).toMatch(
        /^Taints: +node\.kubernetes\.io\/unschedulable:NoSchedule$/m,
      );
      expect(await kubectl(`uncordon ${node}`)).toBe(`node/${node} uncordoned\n`);
      expect(await kubectl(`describe node ${node}`)).toMatch(/^Taints: +<none>$/m);
    }),

  'taint adds a taint, keeps it without --overwrite, and removes it': async (world) => {
    const { kubectl, tried } = world;
    const [node = ''] = await nodesOf(world);
    expect(await kubectl(`taint node ${node} team=x:NoSchedule`)).toBe(`node/${node} tainted\n`);
    expect((await tried(`taint node ${node} team=y:NoSchedule`)).stderr).toContain('--overwrite is false');
    expect(await kubectl(`taint node ${node} team-`)).toBe(`node/${node} untainted\n`);
  },

  'drain refuses pods of daemon sets and pods without a controller, and evicts nothing': (world) =>
    onNode(world, async (node) => {
      const { feed, kubectl, tried } = world;
      const pod = JSON.parse(podText('single', 1, 5));
      await feed(JSON.stringify({ ...pod, spec: { ...pod.spec, nodeName: node } }), 'apply -f -');
      const { code, stderr } = await tried(`drain ${node}`);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /cannot delete DaemonSet-managed Pods \(use --ignore-daemonsets to ignore\): kube-system\/log-agent-/,
      );
      expect(stderr).toMatch(/declare no controller \(use --force to override\): \S+\/single/);
      expect(await kubectl('get pod single -o jsonpath={.metadata.deletionTimestamp}')).toBe('');
      expect(await tried(`drain ${node} --ignore-daemonsets --force --pod-selector=none=here`)).toMatchObject(
        { code: 0 },
      );
      await kubectl('delete pod single --now');
    }),

  'drain --dry-run=server asks for each eviction and evicts nothing': (world) =>
    onNode(world, async (node) => {
      const { kubectl } = world;
      const before = await kubectl('get pods -n default -o name');
      const text = await kubectl(`drain ${node} --ignore-daemonsets --dry-run=server`);
      expect(text).toMatch(/^evicting pod default\/\S+ \(server dry run\)$/m);
      expect(text).toContain(`node/${node} drained (server dry run)`);
      expect(await kubectl('get pods -n default -o name')).toBe(before);
      expect(await kubectl(`get node ${node}`)).not.toContain('SchedulingDisabled');
    }),

  'drain waits while a budget holds, says so, gives up in time, and evicts once the budget has gone': (
    world,
  ) =>
    onNode(world, async (node) => {
      const { feed, kubectl, tried } = world;
      const held = JSON.parse(deploymentText({ name: 'held', replicas: 2 }));
      held.spec.template.spec.nodeSelector = { 'kubernetes.io/hostname': node };
      await feed(JSON.stringify(held), 'apply -f -');
      await kubectl('wait --for=condition=Available deployment/held --timeout=20s');
      await feed(budgetText('held', 1), 'apply -f -');
      await kubectl(
        'wait --for=jsonpath={.status.disruptionsAllowed}=1 poddisruptionbudget/held --timeout=10s',
      );
      const refused = await tried(`drain ${node} --ignore-daemonsets --pod-selector=app=held --timeout=2s`);
      expect(refused.stderr + refused.stdout).toContain(
        "Cannot evict pod as it would violate the pod's disruption budget.",
      );
      await kubectl('delete poddisruptionbudget held');
      const text = await kubectl(`drain ${node} --ignore-daemonsets --pod-selector=app=held --timeout=40s`);
      expect(text).toMatch(new RegExp(`node/${node} drained\n$`));
    }),

  'drain of a node moves what is left to the others': async (world) => {
    const { feed, kubectl } = world;
    await feed(deploymentText({ name: 'moved', replicas: 6 }), 'apply -f -');
    await kubectl('wait --for=condition=Available deployment/moved --timeout=20s');
    const drain = async (node: string): Promise<void> => {
      const selector = '--pod-selector=app=moved';
      const text = await kubectl(`drain ${node} --ignore-daemonsets ${selector} --timeout=40s`);
      expect(text).toMatch(new RegExp(`^pod/moved-\\S+ evicted$`, 'm'));
      await kubectl('wait --for=jsonpath={.status.readyReplicas}=6 deployment/moved --timeout=20s');
      expect(await podsOn(world, node)).toBe('');
    };
    const ofOne = 'get pods -l app=moved -o jsonpath={.items[0].spec.nodeName}';
    await onNode(world, drain, await kubectl(ofOne));
  },
};
