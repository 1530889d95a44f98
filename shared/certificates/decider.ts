import { batched } from '../base/batched.ts';
import { rejectWhenAborted } from '../passes/time-is-up.ts';
import type { ListedRequest } from './decide.ts';
import { type CertificateContext, type DecidedRequest, decideRequests } from './decide-requests.ts';

/**
 * The requests for the names of an instance: the ones decided now, with their verdicts, and the ones decided before. `others`: those for
 * names of no instance that was asked for at the same time.
 */
export interface InstanceRequests {
  readonly decided: readonly DecidedRequest[];
  readonly settled: readonly ListedRequest[];
  readonly others: readonly ListedRequest[];
}

/** Decides the requests of a joining instance at once instead of in the next minute. */
export interface RequestDecider {
  /**
   * Decides the pending requests for the names of this instance. Calls for several instances at the same time are batched. Rejects if the
   * requests or the state of AWS cannot be read, or the Node or the group of this instance.
   */
  decideRequestsOf(instance: {
    readonly instanceId: string;
    readonly privateDnsName?: string | undefined;
  }): Promise<InstanceRequests>;
}

const instancesAtOnce = 200;

export function createRequestDecider(context: CertificateContext): RequestDecider {
  // The names of one instance are decided together: requests for them are rivals of each other.
  const decideNames = batched({
    limit: instancesAtOnce,
    load: async (instances: readonly string[]): Promise<ReadonlyMap<string, InstanceRequests | Error>> => {
      const namesByName = new Map(
        instances.flatMap((instance) => {
          const names = namesIn(instance);
          return names.map((name) => [name, names] as const);
        }),
      );
      const { decided, settled, others, unread } = await decideRequests(context, namesByName);
      return new Map(
        instances.map((instance) => {
          const names = namesIn(instance);
          const isOwn = ({ nodeName = '' }: ListedRequest): boolean => names.includes(nodeName);
          const failure = names.map((name) => unread.get(name)).find((error) => error !== undefined);
          return [
            instance,
            failure ?? { decided: decided.filter(isOwn), settled: settled.filter(isOwn), others },
          ];
        }),
      );
    },
  });
  return {
    decideRequestsOf: async ({ instanceId, privateDnsName = '' }) => {
      const own = await decideNames(`${instanceId} ${privateDnsName.toLowerCase()}`);
      if (own instanceof Error) throw own;
      return own ?? { decided: [], settled: [], others: [] };
    },
  };
}

/**
 * One decider for each invocation, identified by its signal: the passes of a batch share its calls, and it approves nothing once the
 * time is up.
 */
export function decidersByInvocation(context: CertificateContext): (signal: AbortSignal) => RequestDecider {
  const deciders = new WeakMap<AbortSignal, RequestDecider>();
  return (signal) => {
    const cluster = rejectWhenAborted(signal, context.cluster);
    const decider = deciders.get(signal) ?? createRequestDecider({ ...context, cluster });
    deciders.set(signal, decider);
    return decider;
  };
}

const namesIn = (instance: string): readonly string[] => instance.split(' ').filter((name) => name !== '');
