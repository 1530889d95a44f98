import type { InvocationOutcome } from '@drover/cloud-sandbox/lambda';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import { daemonSet, deployment, heldDeployment } from '../../../local/world/workloads.ts';
import { list } from '../leaving/support/api.ts';
import { stateOf, terminate, workers } from '../leaving/support/groups.ts';
import { nodesOf } from '../leaving/support/nodes.ts';
import { evictedIn, passesOf } from '../leaving/support/passes.ts';
import { create, untilReady } from '../leaving/support/pods.ts';
import { nodeTags } from '../worlds/instances.ts';
import type { RightsWorld } from '../worlds/rights-world.ts';
import type { World } from '../worlds/world.ts';

/**
 * What leaving takes: a node that is found by its name and one that is not, pods that are evicted, one that is deleted at
 * the deadline, daemon pods with a volume that stay. Gives what went wrong, as soon as something has.
 */
export async function leave(world: World): Promise<readonly string[]> {
  const ids = await furnish(world);
  for (const id of ids) terminate(world, id);
  const ending = await endOf(() =>
    world.until(
      () => complaints(world, ids).length > 0 || ids.every((id) => stateOf(world, id) === undefined),
      { withinSeconds: 75, what: 'the end of both instances' },
    ),
  );
  const wrong = [...complaints(world, ids), ...ending];
  if (wrong.length > 0) return wrong;
  const left = (await nodesOf(world)).map(({ metadata }) => `the Node ${metadata?.name} was left behind`);
  const evicted = ids.reduce((sum, id) => sum + evictedIn(world, id), 0);
  return [...left, ...(evicted === 0 ? ['no pod was evicted'] : [])];
}

/** A credential is published, another one once it is lost, and the first is retired when no instance can have it any more. */
export async function rotate(world: RightsWorld): Promise<readonly string[]> {
  const first = await world.rotate(0);
  world.losePublished();
  const outcomes = [first, await world.rotate(0), await world.rotate(1.2)];
  const failures = outcomes.filter(({ kind }) => kind !== 'succeeded');
  if (failures.length > 0) return failures.map((failure) => JSON.stringify(failure));
  return retiredBy(outcomes.at(-1)) > 0 ? [] : ['no token was retired'];
}

const retiredBy = (outcome: InvocationOutcome | undefined): number =>
  outcome?.kind === 'succeeded'
    ? (outcome.result as readonly { readonly retire: readonly object[] }[]).reduce(
        (count, { retire }) => count + retire.length,
        0,
      )
    : 0;

async function furnish(world: World): Promise<readonly string[]> {
  const named = (name: string, nodeName: string) =>
    workers(world, { size: 1, name, tags: { [nodeTags.nodeName]: nodeName } });
  const groups = await Promise.all([named('named', 'instance-id'), named('other', 'worker')]);
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  await create(
    world,
    {
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
    },
    daemonSet({ name: 'agent', graceSeconds: 2, pod: { volumes } }),
    deployment({ name: 'web', replicas: 2, graceSeconds: 2 }),
    ...heldDeployment({ name: 'held', replicas: 1, graceSeconds: 2 }),
  );
  await untilReady(world, 'web', 2);
  await untilReady(world, 'held', 1);
  await untilAttached(world, 2);
  return groups.flat();
}

async function untilAttached(world: World, count: number): Promise<void> {
  const areAttached = async (): Promise<boolean> => {
    const names = new Set((await nodesOf(world)).map(({ metadata }) => metadata?.name));
    const attachments = await list<VolumeAttachment>(world, '/apis/storage.k8s.io/v1/volumeattachments');
    const attached = attachments.filter(
      ({ spec, status }) => names.has(spec?.nodeName) && status?.attached === true,
    );
    return attached.length === count;
  };
  await world.until(areAttached, { withinSeconds: 60, what: 'the volumes attached' });
  // The Nodes say so a moment later.
  await world.pass(3);
}

/** Lines of errors, passes that wait for an operator, and pods that are deleted without their condition. */
const complaints = (world: World, ids: readonly string[]): readonly string[] => [
  ...world.lines
    .filter(({ level }) => level === 'error')
    .map(({ message, error }) => `${String(message)}: ${JSON.stringify(error)}`),
  ...ids
    .flatMap((id) => passesOf(world, id))
    .filter(
      ({ facts, reason }) =>
        (facts as { readonly waitsFor?: string } | undefined)?.waitsFor === 'refused' ||
        String(reason).includes('without the condition'),
    )
    .map(({ reason }) => String(reason)),
];

/** A wait that does not end is a complaint as well, and the last one. */
async function endOf(wait: () => Promise<void>): Promise<readonly string[]> {
  try {
    await wait();
    return [];
  } catch (error) {
    return [String(error)];
  }
}
