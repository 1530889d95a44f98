import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import { confirmLeaving } from '../../../shared/leaving/confirm-leaving.ts';
import { letVolumesGo } from '../../../shared/leaving/out-of-service.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const gone = 'EC2 reports it as terminated';
const volume = { name: 'kubernetes.io/csi/ebs.csi.aws.com^vol-1', devicePath: '' };
const attachment = {
  spec: { attacher: 'ebs.csi.aws.com', nodeName: 'node-1', source: { persistentVolumeName: 'pvc-1' } },
};
const own: Taint = { key: 'team', value: 'shop', effect: 'NoSchedule' };

/** The Node of a terminated instance with a volume, and what a pass over it does. */
function createScene({
  ready = 'Unknown',
  lastHeartbeatTime = '2026-11-21T06:58:30Z',
  volumes = [volume],
  taints = [own],
}: {
  readonly ready?: 'True' | 'False' | 'Unknown';
  readonly lastHeartbeatTime?: string;
  readonly volumes?: readonly (typeof volume)[];
  readonly taints?: readonly Taint[];
} = {}) {
  const base = node();
  const failed: Node = {
    ...base,
    metadata: { ...base.metadata, resourceVersion: '7' },
    spec: { ...base.spec, taints: [...taints] },
    status: {
      conditions: [{ type: 'Ready', status: ready, lastHeartbeatTime }],
      volumesAttached: [...volumes],
      volumesInUse: volumes.map(({ name }) => name),
    },
  };
  const made = createNodeContext(startedAt, failed);
  const patches: unknown[] = [];
  let attached = volumes.map(() => attachment);
  const cluster = {
    ...made.context.cluster,
    listVolumeAttachments: async () => attached,
    patchNode: async (name: string, patch: object) => {
      patches.push(patch);
      return await made.context.cluster.patchNode(name, patch);
    },
  };
  const context = { ...made.context, cluster };
  return {
    ...made,
    context,
    patches,
    detach: () => void (attached = []),
    look: (other = context) => letVolumesGo(other, { instanceId, node: failed, gone }),
  };
}

const taintsOf = (one: Node | undefined) => one?.spec?.taints ?? [];
const outOfService = expect.objectContaining({
  key: 'node.kubernetes.io/out-of-service',
  value: 'nodeshutdown',
  effect: 'NoExecute',
});

describe('the Node of a terminated instance with volumes', () => {
  // kubernetes-sigs/aws-ebs-csi-driver#1955
  it('is tainted out of service and kept until they are detached', async () => {
    const { look, node: current, detach, patches } = createScene();
    expect(await look()).toMatchObject({
      status: 'again',
      afterSeconds: 5,
      reason: `${gone}, and its node is out of service until its volumes are detached: pvc-1`,
      facts: { waitsFor: 'volumes', volumesAttached: 1 },
    });
    expect(taintsOf(current())).toEqual([own, outOfService]);
    expect(patches).toMatchObject([{ metadata: { uid: 'uid-of-node-1', resourceVersion: '7' } }]);
    expect(await look()).toMatchObject({ status: 'again' });
    expect(patches).toHaveLength(1);
    detach();
    expect(await look()).toBeUndefined();
  });

  it.each(['terminated', 'shutting-down'] as const)(
    'is kept for them by the pass over an instance that is gone, if EC2 says so: %s',
    async (state) => {
      const { context, node: current } = createScene();
      const noticedAt = new Date(startedAt).toISOString();
      const outcome = await confirmLeaving(context, {
        subject: { instanceId, notices: [{ cause: 'swept', instanceId, noticedAt, nodeName: 'node-1' }] },
        observation: {
          situation: { kind: 'gone', reason: gone },
          instance: undefined,
          ec2: { instanceId, state, tags: {} },
          managedGroup: groupOf({}),
          settings: context.settings.defaults,
          tagProblems: [],
        },
        notes: [],
      });
      const isTerminated = state === 'terminated';
      expect(outcome).toMatchObject(
        isTerminated ? { status: 'again', facts: { waitsFor: 'volumes' } } : { status: 'done' },
      );
      expect(current() !== undefined).toBe(isTerminated);
    },
  );

  it('is kept for two minutes at most: an older Kubernetes does not know the taint, and an attacher may be away', async () => {
    const { look, pass } = createScene();
    await look();
    pass(119);
    expect(await look()).toMatchObject({ status: 'again' });
    pass(1);
    expect(await look()).toBeUndefined();
  });

  it('is not tainted while it is Ready: its kubelet would write to a volume that is attached elsewhere', async () => {
    const { look, patches } = createScene({ ready: 'True' });
    expect(await look()).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('does not show yet that it has failed'),
    });
    expect(patches).toEqual([]);
    const silent = createScene({ ready: 'True', lastHeartbeatTime: '2026-11-21T06:57:59Z' });
    expect(await silent.look()).toBeUndefined();
    expect(silent.patches).toEqual([]);
  });

  it('is tainted again if the time in its taint cannot be believed', async () => {
    const taint: Taint = { key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' };
    for (const timeAdded of [undefined, '2026-11-21T09:00:00Z']) {
      const { look, node: current } = createScene({
        taints: [{ ...taint, ...(timeAdded && { timeAdded }) }],
      });
      expect(await look()).toMatchObject({ status: 'again' });
      expect(taintsOf(current())).toEqual([outOfService]);
    }
  });

  it('may be deleted at once if nothing is attached, if it has no volumes, or if another Node has its name', async () => {
    const detached = createScene();
    detached.detach();
    expect(await detached.look()).toBeUndefined();
    const empty = createScene({ volumes: [] });
    expect(await empty.look()).toBeUndefined();
    const taken = createScene();
    taken.replaceNode(node({ uid: 'uid-of-another' }));
    expect(await taken.look()).toBeUndefined();
    expect([...detached.patches, ...empty.patches, ...taken.patches]).toEqual([]);
  });

  it('may be deleted if the taint is denied, which is said; another failure is tried again', async () => {
    const { look, context } = createScene();
    const reasons: string[] = [];
    const failing = (cause: Error) => ({
      ...context,
      cluster: {
        ...context.cluster,
        patchNode: () => Promise.reject(cause),
        recordEvent: async ({ reason }: { readonly reason: string }) => void reasons.push(reason),
      },
    });
    const denied = new KubernetesError('forbidden', 'nodes is forbidden', { statusCode: 403 });
    expect(await look(failing(denied))).toBeUndefined();
    expect(reasons).toEqual(['OutOfServiceDenied']);
    const changed = new KubernetesError('conflict', 'the object has been modified', { statusCode: 409 });
    await expect(look(failing(changed))).rejects.toThrow('modified');
  });
});
