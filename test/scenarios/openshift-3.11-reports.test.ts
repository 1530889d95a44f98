import { describe, expect, it } from 'vitest';
import { bootstrapperParameter, furnishBootstrapper } from '../../local/cloud/openshift-3.11.ts';
import { nodeUser } from '../../local/world/certificates/requests.ts';
import {
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { newVersion, putRoll, seenOf } from '../../local/world/rolls.ts';
import { budget, daemonSet, deployment, podsNamed, podsOn, run } from '../../local/world/workloads.ts';
import { askForCertificate } from '../support/certificates/kubelet.ts';
import { inService, launchWorkers } from '../support/joining-world.ts';
import { nodeNameOf } from '../support/observed-instance.ts';
import { world311 } from '../support/openshift-311.ts';

const bootstrapper = {
  username: 'system:serviceaccount:openshift-infra:node-bootstrapper',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:openshift-infra', 'system:authenticated'],
};

/** A world whose kubelets ask with the token of node-bootstrapper, in v1beta1. */
function askingWorld(options: Pick<DroverWorldOptions, 'weather'> = {}): DroverWorld {
  const world = world311({
    ...options,
    kubelets: { ask: { bootstrapParameter: () => bootstrapperParameter } },
  });
  furnishBootstrapper(world, 'https://kubernetes.sandbox');
  return world;
}

const requestsOf = ({ kubernetes }: DroverWorld) =>
  kubernetes.store.of('certificatesigningrequests.certificates.k8s.io').list();

const approvedOf = (world: DroverWorld): number =>
  requestsOf(world).filter(({ status }) => status?.conditions?.[0]?.type === 'Approved').length;

const askAs = (world: DroverWorld, user: Parameters<typeof askForCertificate>[1]['user'], node: string) =>
  askForCertificate(world, {
    name: 'asked',
    user,
    signer: 'client',
    subject: `O=system:nodes,CN=system:node:${node}`,
  });

describe('new nodes of an Auto Scaling group', () => {
  // https://github.com/openshift/openshift-ansible/issues/10398: the group was scaled, and the requests stayed Pending.
  it('join when the group is scaled, without a hand on a request', async () => {
    const world = askingWorld();
    launchWorkers(world, 1, { settings: { MaxSize: 3 } });
    await world.timeline.until(() => inService(world).length === 1, { withinSeconds: 300, what: 'a node' });
    world.account.autoScaling.operations.SetDesiredCapacity({
      AutoScalingGroupName: 'workers',
      DesiredCapacity: 3,
    });
    await world.timeline.until(() => inService(world).length === 3, {
      withinSeconds: 300,
      what: 'three nodes',
    });
    expect(nodesOf(world)).toHaveLength(3);
    expect(world.problems).toEqual([]);
  });

  // https://github.com/openshift/openshift-azure/issues/1827: the requests of system:node users for serving certificates stayed Pending.
  it('have their serving certificates too', async () => {
    const world = askingWorld();
    launchWorkers(world, 2);
    await world.timeline.until(() => approvedOf(world) === 4, {
      withinSeconds: 300,
      what: 'both certificates of both nodes',
    });
    const serving = requestsOf(world).filter(({ spec }) => spec.usages?.includes('server auth'));
    expect(serving).toHaveLength(2);
  });

  // https://github.com/openshift/release/issues/1168: the approver lost its watch, hung, and requests piled up until nodes were lost.
  it('are approved after the API server was away', async () => {
    let isAway = false;
    const world = askingWorld({
      weather: { strike: ({ to }) => (to === 'kubernetes' && isAway ? { kind: 'fail-before' } : undefined) },
    });
    isAway = true;
    launchWorkers(world, 2);
    await world.timeline.pass(600);
    expect(approvedOf(world)).toBe(0);
    isAway = false;
    await world.timeline.until(() => approvedOf(world) === 4, {
      withinSeconds: 300,
      what: 'all certificates',
    });
  });
});

describe('a request that is not of a new node of a group', () => {
  // https://github.com/openshift/openshift-ansible/issues/9647: the node had another name than its instance.
  it('is not approved for a name that EC2 does not know', async () => {
    const world = world311({ kubelets: { configure: () => undefined } });
    furnishBootstrapper(world, 'https://kubernetes.sandbox');
    launchWorkers(world, 1);
    await world.timeline.pass(20);
    const verdict = await askAs(world, bootstrapper, 'master1.ceijaug.internal');
    await world.timeline.pass(90);
    expect(verdict()).not.toBe('Approved');
  });

  // https://github.com/Azure/acs-engine/pull/2704, https://github.com/openshift/openshift-ansible/issues/10403: masters ask as system:admin.
  it('is left to kube-controller-manager if system:admin asks, as for masters', async () => {
    const world = world311();
    await withWorkers(world, { size: 1 });
    const [{ InstanceId = '' } = {}] = membersOf(world);
    const admin = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };
    const verdict = await askAs(world, admin, nodeNameOf(world, InstanceId));
    await world.timeline.pass(90);
    expect(verdict()).toBe('Approved');
    expect(requestsOf(world)[0]?.status?.conditions).toMatchObject([{ reason: 'AutoApproved' }]);
  });

  // https://github.com/openshift/openshift-ansible/pull/11847: every request with the name of a node was approved, also that of an older node.
  it('is not approved for a node that runs, if the shared token asks; the node itself renews', async () => {
    const world = world311();
    furnishBootstrapper(world, 'https://kubernetes.sandbox');
    const [instanceId = ''] = await withWorkers(world, { size: 1 });
    const name = nodeNameOf(world, instanceId);
    const stolen = await askAs(world, bootstrapper, name);
    await world.timeline.pass(90);
    expect(stolen()).not.toBe('Approved');
    const renewal = await askForCertificate(world, {
      name: 'renewal',
      user: nodeUser(name),
      signer: 'client',
      subject: `O=system:nodes,CN=system:node:${name}`,
    });
    await world.timeline.pass(90);
    expect(renewal()).toBe('Approved');
  });
});

describe('a node that leaves', () => {
  const goes = (world: DroverWorld, instanceId: string) =>
    world.timeline.until(() => stateOf(world, instanceId) === undefined, {
      withinSeconds: 900,
      what: 'the end of the instance',
    });

  // https://github.com/openshift/origin/issues/24379: oc adm drain waited for a pod that did not end, without a limit.
  it('goes after its time although a pod does not end', async () => {
    const world = world311();
    const tags = { 'drover.dev/drain-timeout': '2m' };
    const [leaving = ''] = await withWorkers(world, { size: 1, tags });
    await run(world, deployment({ name: 'stuck', replicas: 1, graceSeconds: 30, stopsAfterSeconds: 36_000 }));
    terminate(world, leaving, { replace: false });
    await goes(world, leaving);
    expect(nodesOf(world)).toEqual([]);
  });

  // https://github.com/openshift/origin/issues/17522, https://github.com/openshift/openshift-ansible/pull/3370
  it('is drained although a pod of a DaemonSet has local storage', async () => {
    const world = world311();
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    const volumes = [{ name: 'logs', emptyDir: {} }];
    await run(
      world,
      daemonSet({ name: 'fluentd', pod: { volumes } }),
      deployment({ name: 'web', replicas: 2 }),
    );
    const name = nodeNameOf(world, leaving);
    terminate(world, leaving, { replace: false });
    await world.timeline.until(
      () => podsOn(world, name).every((pod) => pod.metadata?.name?.startsWith('fluentd')),
      {
        withinSeconds: 120,
        what: 'the pods that are evicted',
      },
    );
    await goes(world, leaving);
    expect(podsNamed(world, 'web').filter(({ spec }) => spec?.nodeName)).toHaveLength(2);
    expect(world.problems).toEqual([]);
  });

  // https://github.com/kubernetes/autoscaler/issues/3639: the Node of a terminated instance stayed in the cluster.
  it('has no Node left behind, also if its instance is lost at once', async () => {
    const world = world311();
    const [lost = ''] = await withWorkers(world, { size: 2 });
    const name = nodeNameOf(world, lost);
    world.account.ec2.accidents.kill(lost);
    await world.timeline.until(() => !nodesOf(world).includes(name), {
      withinSeconds: 900,
      what: 'the Node deleted',
    });
  });
});

// https://github.com/openshift/openshift-ansible/pull/11766: old nodes were drained while the new ones were not Ready.
it('a roll evicts nothing before the new node is Ready', async () => {
  let isSlow = false;
  const world = world311({
    kubelets: { configure: () => (isSlow ? { readyDelaySeconds: 200 } : {}) },
  });
  await withWorkers(world, { size: 2 });
  await run(world, deployment({ name: 'web', replicas: 4 }), budget('web', { maxUnavailable: 1 }));
  const first = new Set(podsNamed(world, 'web').map(({ metadata }) => metadata?.uid));
  isSlow = true;
  putRoll(world, { workers: newVersion(world, 'ami-0000000000000new0') }, { canary: 0 });
  const early: number[] = [];
  await world.timeline.until(
    () => {
      const evicted = [...first].filter(
        (uid) => !podsNamed(world, 'web').some(({ metadata }) => metadata?.uid === uid),
      );
      const isReplaced = nodesOf(world).length > 2 || inService(world).length < 2;
      if (evicted.length > 0 && early.length === 0 && !isReplaced) early.push(evicted.length);
      return evicted.length > 0;
    },
    { withinSeconds: 1800, what: 'the first eviction' },
  );
  const ready = world.kubernetes.store
    .of('nodes')
    .list()
    .filter(({ status }) => status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'));
  expect(early).toEqual([]);
  expect(ready.length).toBe(3);
  expect(seenOf(world)?.state).toBe('running');
});
