import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { expect } from 'vitest';
import { addEtcdGroup } from '../../../local/etcd-group.ts';
import { terminate } from '../../../local/world/drover-world.ts';
import { clustersOf, createEtcdDroverWorld } from '../../../local/world/etcd/etcd-world.ts';
import { inService, untilWhole } from '../../../local/world/etcd/expectations.ts';

export type StrikeKind = 'fail-before' | 'fail-after' | 'kill-after';

/** Injects a fault once, into the nth call that etcd-membership makes. */
function strikeNth(nth: number, kind: StrikeKind) {
  let seen = 0;
  return {
    reached: () => seen >= nth,
    strike: ({ caller }: CallInFlight): Strike | undefined => {
      if (caller !== 'etcd-membership') return undefined;
      seen += 1;
      return seen === nth ? { kind } : undefined;
    },
  };
}

/** Bootstraps a control plane of three and replaces one member. Resolves with whether the call was ever made. */
export async function liveWith(nth: number, kind: StrikeKind): Promise<boolean> {
  const { strike, reached } = strikeNth(nth, kind);
  const world = createEtcdDroverWorld({ weather: { strike } });
  addEtcdGroup(world, { size: 3 });
  const clusterId = await untilWhole(world, 3);
  const [leaving = ''] = inService(world);
  terminate(world, leaving);
  expect(await untilWhole(world, 3), `the cluster after ${kind} of call ${nth}`).toBe(clusterId);
  expect(inService(world)).not.toContain(leaving);
  expect(clustersOf(world).size).toBe(1);
  return reached();
}
