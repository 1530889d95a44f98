import { deployment as cliDeployment } from '@drover/cloud-sandbox/test/kubernetes/support.ts';
import { describe, expect, it } from 'vitest';
import { createDroverWorld, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { create, deployment, heldDeployment, run } from '../../local/world/workloads.ts';
import { createCliWorld } from '../cli/support.ts';
import { countCalls, eventsOn, nodeNameOf, untilGone } from '../support/observed-instance.ts';

/** Reported by users of cilium/cilium#28549 and #18995: a Deployment that tolerates every taint returns to the cordoned node. */
const toleratesAll = { tolerations: [{ operator: 'Exists' as const }] };

describe('pods that return to a cordoned node', () => {
  async function leaveWith({ held }: { readonly held: boolean }) {
    const calls = countCalls();
    const world = createDroverWorld({ weather: { onCall: calls.onCall } });
    const tags = { 'drover.dev/drain-timeout': '8m' };
    const [leaving = '', other = ''] = await withWorkers(world, { size: 2, tags });
    // The other node runs more pods, so that the scheduler prefers the cordoned one.
    const there = { nodeSelector: { 'kubernetes.io/hostname': nodeNameOf(world, other) } };
    await run(world, deployment({ name: 'busy', replicas: 8, pod: there }));
    const here = { nodeSelector: { 'kubernetes.io/hostname': nodeNameOf(world, leaving) } };
    await run(world, deployment({ name: 'operator', replicas: 1, pod: { ...toleratesAll, ...here } }));
    if (held) await create(world, ...heldDeployment({ name: 'web', replicas: 1, pod: here }));
    await world.timeline.pass(30);
    const node = nodeNameOf(world, leaving);
    terminate(world, leaving, { replace: false });
    const evictions = () => calls.count('POST /api/v1/namespaces/default/pods/operator');
    return { world, leaving, node, evictions };
  }

  it('do not hold an empty node, and the log names them', async () => {
    const { world, leaving, evictions } = await leaveWith({ held: false });
    await untilGone(world, leaving, 120);
    expect(evictions()).toBeLessThanOrEqual(2);
    const reasons = world.lines.flatMap(({ reason }) => (typeof reason === 'string' ? [reason] : []));
    expect(reasons.join('\n')).toMatch(/one pod left that came after the cordon: default\/operator-/);
  });

  it('neither prolong a drain that a budget holds, nor are killed again and again meanwhile', async () => {
    const { world, leaving, node, evictions } = await leaveWith({ held: true });
    await untilGone(world, leaving, 10 * 60);
    expect(evictions()).toBeLessThanOrEqual(6);
    expect(eventsOn(world, node).filter((reason) => reason === 'DrainForced').length).toBeLessThanOrEqual(2);
  });
});

it('drover drain ends when the pods are gone that ran at its start', async () => {
  const world = createCliWorld({});
  const operator = cliDeployment('operator', 1, { grace: 2 });
  Object.assign(operator.spec.template.spec, {
    ...toleratesAll,
    nodeSelector: { 'kubernetes.io/hostname': 'node-1' },
  });
  await world.create('/apis/apps/v1/namespaces/default/deployments', operator);
  const { code, out } = await world.run('drain', 'node-1', '--timeout=90s');
  expect(code).toBe(0);
  expect(out.match(/^evicting pod/gm)?.length).toBeLessThanOrEqual(3);
});
