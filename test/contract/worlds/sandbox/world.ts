import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import type { Kubelet } from '@drover/cloud-sandbox/kubernetes';
import { createInProcessRuntime } from '@drover/cloud-sandbox/lambda';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { functionsFromSource } from '../../../../local/cloud/functions.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
} from '../../../../local/world/drover-world.ts';
import { configureNode } from '../instances.ts';
import { createKiller } from '../killer.ts';
import { losePublished } from '../lose-published.ts';
import { openNamespace } from '../namespace.ts';
import type { RightsWorld } from '../rights-world.ts';
import type { Method, OwnWorld, World } from '../world.ts';
import { mirror } from './mirror.ts';

/** How often a condition is looked at, in simulated seconds. */
const stepSeconds = 0.5;
const longestInvocationSeconds = 5;

/** A simulated cluster on virtual time; calls take a few milliseconds of it, so that functions can be killed between them. */
export async function openSandboxWorld({
  editRbac,
}: Pick<DroverWorldOptions, 'editRbac'> = {}): Promise<OwnWorld & RightsWorld> {
  let isAway = false;
  const strike = ({ to }: CallInFlight): Strike | undefined =>
    isAway && to === 'kubernetes' ? { kind: 'fail-before' } : undefined;
  const killer = createKiller({ clock: () => drover.clock, random: createRandom(7) });
  const drover: DroverWorld = createDroverWorld({
    ...(editRbac && { editRbac }),
    weather: {
      strike,
      latencyMilliseconds: () => 5,
      onCall: ({ to }) => {
        if (to === 'aws') killer.onCall();
      },
    },
    kubelets: { configure: configureNode },
    runtime: ({ hostFor }) =>
      killer.around(
        createInProcessRuntime({
          functions: functionsFromSource,
          hostFor,
          clock: { now: () => drover.clock.now() },
        }),
      ),
  });
  const world: OwnWorld & RightsWorld = {
    account: drover.account,
    namespace: 'here',
    lines: drover.lines,
    now: () => drover.clock.now(),
    pass: (seconds) => drover.timeline.pass(seconds),
    until: (condition, patience) => untilHolds(drover, condition, patience),
    request: (method, path, body) => {
      if (isAway) throw new Error('the API server is away');
      return requestTo(drover, { method, path, ...(body && { body }) });
    },
    kubelet: (instanceId) => kubeletOf(drover, instanceId),
    runStaticPod: (nodeName, manifest) => mirror(world, nodeName, manifest),
    invoke: async (functionName, event) => {
      const outcome = drover.lambda.invoke(functionName, event);
      await drover.timeline.pass(longestInvocationSeconds);
      return await outcome;
    },
    close: async () => {},
    apiServer: {
      stop: async () => {
        isAway = true;
      },
      start: async () => {
        isAway = false;
      },
    },
    losePublished: () => losePublished(drover),
    rotate: async (hoursLater) => {
      await drover.timeline.pass(hoursLater * 3600);
      return await world.invoke('bootstrap-credential', {});
    },
    killNext: killer.killNext,
    killed: killer.killed,
  };
  await openNamespace(world);
  return world;
}

async function untilHolds(
  { clock, timeline }: DroverWorld,
  condition: Parameters<World['until']>[0],
  { withinSeconds, what }: Parameters<World['until']>[1],
): Promise<void> {
  const end = clock.now() + withinSeconds * 1000;
  while (!(await condition())) {
    if (clock.now() >= end)
      throw new Error(`${what} did not happen within ${withinSeconds} simulated seconds`);
    await timeline.pass(stepSeconds);
  }
}

const requestTo = (
  { kubernetes }: DroverWorld,
  { method, path, body }: { readonly method: Method; readonly path: string; readonly body?: object },
) =>
  kubernetes.sendHttp({
    method,
    url: `https://kubernetes.sandbox${path}`,
    headers: {
      authorization: `Bearer ${kubernetes.adminToken}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    timeoutMilliseconds: 10_000,
    ...(body && { body: JSON.stringify(body) }),
  });

function kubeletOf({ kubelets }: DroverWorld, instanceId: string): Kubelet {
  const kubelet = kubelets.get(instanceId);
  if (!kubelet) throw new RangeError(`no kubelet runs on ${instanceId}`);
  return kubelet;
}
