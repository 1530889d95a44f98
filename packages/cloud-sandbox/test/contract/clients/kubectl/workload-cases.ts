import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import type { KubectlWorld } from './kubectl.ts';
import { deploymentText, podText } from './manifests.ts';

const settled = 'rollout status deployment/app --timeout=30s';

const history = async ({ kubectl }: KubectlWorld): Promise<readonly string[]> =>
  (await kubectl('rollout history deployment/app')).match(/^\d+/gm) ?? [];

/** What runs, as it is scaled, rolled out, rolled back and stopped. */
export const workloadCases: Cases<KubectlWorld> = {
  'scale changes the replicas, and only from the number that is expected': async ({
    feed,
    kubectl,
    tried,
  }) => {
    await feed(deploymentText({ name: 'app' }), 'apply -f -');
    expect(await kubectl('scale deployment app --replicas=3')).toBe('deployment.apps/app scaled\n');
    await kubectl('wait --for=jsonpath={.status.readyReplicas}=3 deployment/app --timeout=20s');
    expect(await tried('scale deployment app --current-replicas=7 --replicas=1')).toMatchObject({
      code: 1,
      stderr: 'error: Expected replicas to be 7, was 3\n',
    });
  },

  'rollout restart replaces the pods, and rollout status waits until that is done': async ({
    feed,
    kubectl,
  }) => {
    await feed(deploymentText({ name: 'app' }), 'apply -f -');
    expect(await kubectl(settled)).toMatch(/deployment "app" successfully rolled out\n$/);
    const before = await kubectl('get pods -l app=app -o name');
    await kubectl('rollout restart deployment/app');
    await kubectl(settled);
    const after = await kubectl('get pods -l app=app --field-selector=status.phase=Running -o name');
    expect(after.split('\n').filter((name) => name !== '' && before.includes(name))).toEqual([]);
  },

  'rollout undo brings the template before back, as the newest revision': async (world) => {
    const { feed, kubectl } = world;
    await feed(deploymentText({ name: 'app' }), 'apply -f -');
    await kubectl(settled);
    expect(await kubectl('set image deployment/app main=app:2')).toBe('deployment.apps/app image updated\n');
    await kubectl(settled);
    expect(await history(world)).toEqual(['1', '2']);
    await kubectl('rollout undo deployment/app');
    await kubectl(settled);
    expect(await history(world)).toEqual(['2', '3']);
    const image = await kubectl('get deployment app -o jsonpath={.spec.template.spec.containers[0].image}');
    expect(image).toBe('app:1');
  },

  'rollout pause holds a change back until rollout resume': async (world) => {
    const { feed, kubectl, tried } = world;
    await feed(deploymentText({ name: 'app', replicas: 1 }), 'apply -f -');
    await kubectl(settled);
    await kubectl('rollout pause deployment/app');
    await kubectl('set env deployment/app NEW=1');
    expect((await tried('rollout restart deployment/app')).stderr).toContain(
      "can't restart paused deployment",
    );
    expect(await history(world)).toEqual(['1']);
    await kubectl('rollout resume deployment/app');
    await kubectl(settled);
    expect(await history(world)).toEqual(['1', '2']);
  },

  'rollout status of a daemon set waits until each node has the new pod': async ({ feed, kubectl }) => {
    const { spec, metadata } = JSON.parse(deploymentText({ name: 'agent' }));
    const { replicas: _, ...rest } = spec;
    const agent = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata, spec: rest };
    await feed(JSON.stringify(agent), 'apply -f -');
    await kubectl('rollout status daemonset/agent --timeout=20s');
    const names = async () => (await kubectl('get pods -l app=agent -o name')).trim().split('\n');
    const before = await names();
    await kubectl('rollout restart daemonset/agent');
    await kubectl('rollout status daemonset/agent --timeout=40s');
    const after = await names();
    expect(after).toHaveLength(3);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
  },

  'set resources and expose write what they say': async ({ feed, kubectl }) => {
    await feed(deploymentText({ name: 'app', replicas: 1 }), 'apply -f -');
    await kubectl('set resources deployment/app --limits=cpu=100m');
    const limits = await kubectl(
      'get deployment app -o jsonpath={.spec.template.spec.containers[0].resources.limits.cpu}',
    );
    expect(limits).toBe('100m');
    await kubectl('expose deployment app --port=8080 --target-port=80');
    expect(await kubectl('get service app -o wide')).toMatch(
      /^app +ClusterIP +10\.\S+ +<none> +8080\/TCP .*app=app$/m,
    );
    await kubectl(settled);
    const slices = 'get endpointslices -l kubernetes.io/service-name=app';
    await expect.poll(() => kubectl(slices)).toMatch(/IPv4 +80 +10\.200\./);
  },

  'a pod is deleted with its grace: with the time that it takes, or at once by force': async ({
    feed,
    kubectl,
    start,
    tried,
  }) => {
    // It would take an hour, and the sandbox is ten times as fast as this test.
    await feed(podText('slow', 3600, 3600), 'apply -f -');
    await kubectl('wait --for=condition=Ready pod/slow --timeout=20s');
    const deletion = start('delete pod slow');
    const stamp = 'get pod slow -o jsonpath={.metadata.deletionGracePeriodSeconds}';
    await expect.poll(() => kubectl(stamp)).toBe('3600');
    expect(await kubectl('get pod slow')).toMatch(/^slow +1\/1 +Terminating/m);
    await kubectl('delete pod slow --grace-period=2');
    expect((await deletion.ended).code).toBe(0);
    await feed(podText('stubborn', 3600, 3600), 'apply -f -');
    const forced = await tried('delete pod stubborn --grace-period=0 --force');
    expect(forced.stdout).toMatch(/^pod "stubborn" force deleted/);
    expect(forced.stderr).toMatch(/^Warning: Immediate deletion does not wait/);
    await kubectl('wait --for=delete pod/stubborn --timeout=5s');
  },

  'what is deleted takes what it owns with it, unless that is to be left behind': async ({
    feed,
    kubectl,
  }) => {
    await feed(deploymentText({ name: 'left', replicas: 1 }), 'apply -f -');
    await feed(deploymentText({ name: 'taken', replicas: 1 }), 'apply -f -');
    await kubectl('wait --for=condition=Available deployment/left deployment/taken --timeout=20s');
    await kubectl('delete deployment left --cascade=orphan');
    expect(await kubectl('get replicasets -l app=left -o name')).toMatch(/^replicaset\.apps\/left-/);
    await kubectl('delete deployment taken --cascade=foreground --timeout=20s');
    expect(await kubectl('get replicasets,pods -l app=taken -o name')).toBe('');
  },

  'a namespace goes with all that is in it, and takes nothing new while it goes': async ({
    kubectl,
    tried,
    namespace,
  }) => {
    const doomed = `${namespace}-doomed`;
    await kubectl(`create namespace ${doomed}`);
    await kubectl(`run slow --image=app:1 -n ${doomed}`);
    await kubectl(`wait --for=condition=Ready pod/slow -n ${doomed} --timeout=20s`);
    await kubectl(`delete namespace ${doomed} --wait=false`);
    expect((await tried(`create configmap late -n ${doomed}`)).stderr).toMatch(
      /is forbidden: unable to create new content in namespace \S+ because it is being terminated\n$/,
    );
    await kubectl(`wait --for=delete namespace/${doomed} --timeout=30s`);
    expect((await tried(`create configmap late -n ${doomed}`)).stderr).toContain(
      `namespaces "${doomed}" not found`,
    );
  },
};
