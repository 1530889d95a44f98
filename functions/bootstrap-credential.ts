import { createLog } from '../shared/base/log.ts';
import { rotateTogether } from '../shared/credentials/rotate.ts';
import { summaryOf } from '../shared/credentials/rotation-plan.ts';
import { clusterConnections } from '../shared/runtime/cluster.ts';
import type { CreateHandler } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';
import { composeRotations } from '../shared/runtime/rotations.ts';

/** Rotates the bootstrap credential of each role if it is due, whatever the event. Returns what it did, and why. */
export const create: CreateHandler = (host) => {
  const rotations = composeRotations(host, clusterConnections(host));
  const log = createLog(host, { function: 'bootstrap-credential' });
  return () =>
    rotateTogether(rotations, async (rotation) => {
      const { role } = rotation;
      try {
        const summary = { role, ...summaryOf(await rotation.rotate()) };
        log.info(`bootstrap credential: ${summary.action}`, { ...summary });
        return summary;
      } catch (error) {
        log.error('bootstrap credential: failed', error, { role });
        throw error;
      }
    });
};

export const handler = onLambda(create);
