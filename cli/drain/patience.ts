import { isThrottled, isUnavailable } from '../../shared/kubernetes/status.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';
import { unlessInterrupted } from '../interruption.ts';
import type { DrainRequest, DrainTimer } from './drain-node.ts';
import { unfinished } from './endings.ts';

/** An API server that does not answer for longer is a failure; the node stays cordoned and the command can be repeated. */
const patienceMilliseconds = 60_000;
const pauseMilliseconds = 2000;

/**
 * Does something again while the API server cannot answer, for a minute at most and not beyond the time that was given.
 *
 * @throws what `attempt` rejects with, when it is something else or the patience has ended.
 */
export async function patiently<T>(
  attempt: () => Promise<T>,
  { request, machine }: { readonly request: DrainRequest; readonly machine: DrainTimer },
): Promise<T> {
  const until = Math.min(machine.clock.now() + patienceMilliseconds, request.giveUpAt ?? Infinity);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const mayPass = isUnavailable(error) || isThrottled(error);
      if (!mayPass || machine.clock.now() >= until) throw error;
      request.progress.warned(error.message);
      await unlessInterrupted(
        machine.pause(pauseMilliseconds),
        machine,
        unfinished(nameOfNode(request.node)),
      );
    }
  }
}
