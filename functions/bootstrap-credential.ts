import { createLog } from '../shared/base/log.ts';
import { rotateAll } from '../shared/credentials/rotate.ts';
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
    rotateAll(rotations, async (rotation) => {
      const summary = { role: rotation.role, ...summaryOf(await rotation.rotate()) };
      log.info(`bootstrap credential: ${summary.action}`, { ...summary });
      return summary;
    });
};

export const handler = onLambda(create);
