import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { nodeReadiness } from '../../../shared/joining/readiness.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { joinedNode, joiningId, launchedAt } from '../../support/joining-context.ts';

const now = launchedAt + 60_000;

describe('the Node of an instance', () => {
  it('is ready once its kubelet says so', () => {
    expect(nodeReadiness(joinedNode(), { now, launchedAt }).kind).toBe('ready');
    expect(nodeReadiness(joinedNode({ ready: 'Unknown' }), { now, launchedAt }).kind).toBe('waiting');
    expect(nodeReadiness({ metadata: { name: 'new' } }, { now, launchedAt }).kind).toBe('waiting');
  });

  it('is not ready by what its kubelet said before the instance was stopped and started', () => {
    const old = joinedNode({ at: launchedAt - 11_000 });
    expect(nodeReadiness(old, { now, launchedAt })).toMatchObject({
      kind: 'waiting',
      reason: expect.stringContaining('was last Ready before its instance was started'),
    });
  });

  it('is ready where the clock of its instance is up to ten seconds slow', () => {
    for (const milliseconds of [9000, 10_000])
      expect(nodeReadiness(joinedNode({ at: launchedAt - milliseconds }), { now, launchedAt }).kind).toBe(
        'ready',
      );
  });

  it('is ready though it is older than the start, if its kubelet has reported since', () => {
    const { metadata, ...rest } = joinedNode();
    const kept = { ...rest, metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' } };
    expect(nodeReadiness(kept, { now, launchedAt }).kind).toBe('ready');
  });

  it('is ready where EC2 does not say when the instance was started', () => {
    expect(nodeReadiness(joinedNode(), { now }).kind).toBe('ready');
  });

  it('is not ready, and has no message, where its kubelet gives none', () => {
    const node = { metadata: { name: 'a' }, status: { conditions: [{ type: 'Ready', status: 'False' }] } };
    expect(nodeReadiness(node, { now, launchedAt })).toMatchObject({ reason: 'node a is not Ready' });
  });

  it('is not ready where nothing says when it reported, and EC2 says when the instance was started', () => {
    const node = { metadata: { name: 'a' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    expect(nodeReadiness(node, { now, launchedAt }).kind).toBe('waiting');
  });

  it('is not ready while it is being deleted', () => {
    const { metadata, ...rest } = joinedNode();
    const deleted = { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-11-21T07:00:30Z' } };
    expect(nodeReadiness(deleted, { now, launchedAt }).kind).toBe('waiting');
  });

  it('is not ready before it has booted from a new root volume', () => {
    const returning = (bootID: string): Node => {
      const { metadata, spec, status } = joinedNode();
      const mark = {
        cause: 'terminating',
        instanceId: joiningId,
        since: new Date(launchedAt).toISOString(),
        renewedAt: new Date(launchedAt).toISOString(),
        before: { unschedulable: false, excludedFromLoadBalancers: false },
        waitingFor: [],
        bootBefore: 'first',
      };
      return {
        ...(spec && { spec }),
        metadata: { ...metadata, annotations: { [leavingAnnotation]: JSON.stringify(mark) } },
        status: {
          ...status,
          nodeInfo: {
            architecture: 'amd64',
            bootID,
            containerRuntimeVersion: '',
            kernelVersion: '',
            kubeProxyVersion: '',
            kubeletVersion: '',
            machineID: '',
            operatingSystem: 'linux',
            osImage: '',
            systemUUID: '',
          },
        },
      };
    };
    expect(nodeReadiness(returning('first'), { now, launchedAt }).kind).toBe('waiting');
    expect(nodeReadiness(returning('second'), { now, launchedAt }).kind).toBe('ready');
  });
});
