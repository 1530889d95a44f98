import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { nodeUser, tokenUser } from '../../local/world/certificates/requests.ts';
import { createDroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { askForCertificate } from '../support/certificates/kubelet.ts';
import { nodeNameOf } from '../support/observed-instance.ts';

type StrikeKind = 'fail-before' | 'fail-after' | 'kill-after' | 'hang-before';

/** A renewal, and a stranger with a stolen token that asks for the name. Gives whether the call was ever made. */
async function decideWith(nth: number, kind: StrikeKind): Promise<boolean> {
  let seen = Number.NEGATIVE_INFINITY;
  let struckAt: number | undefined;
  const world = createDroverWorld({
    weather: {
      strike: ({ caller }: CallInFlight): Strike | undefined => {
        if (caller !== 'certificate-requests') return undefined;
        seen += 1;
        if (seen !== nth) return undefined;
        struckAt = world.clock.now();
        return { kind };
      },
    },
  });
  const [instanceId = ''] = await withWorkers(world, { size: 1 });
  const node = nodeNameOf(world, instanceId);
  const shared = { signer: 'client', subject: `O=system:nodes,CN=system:node:${node}` } as const;
  const renewal = await askForCertificate(world, { ...shared, name: 'renewal', user: nodeUser(node) });
  const stolen = await askForCertificate(world, { ...shared, name: 'stolen', user: tokenUser });
  seen = 0;
  await world.timeline.until(() => renewal() !== 'pending', {
    withinSeconds: 200,
    what: `a decision after ${kind} of call ${nth}`,
  });
  const decidedAt = world.clock.now();
  await world.timeline.pass(61);
  expect([renewal(), stolen()]).toEqual(['Approved', 'pending']);
  if (struckAt !== undefined) expect((decidedAt - struckAt) / 1000).toBeLessThanOrEqual(61);
  return struckAt !== undefined;
}

const kinds: readonly StrikeKind[] = ['fail-before', 'fail-after', 'kill-after', 'hang-before'];

describe('a request', () => {
  it.each(kinds)('is decided right when any one call of certificate-requests meets %s', async (kind) => {
    let nth = 1;
    while (await decideWith(nth, kind)) nth += 1;
    expect(nth).toBeGreaterThan(5);
  });
});
