import { batched } from '../base/batched.ts';
import type { Petition } from './decide-all.ts';
import { type CertificateContext, type DecidedRequest, decideRequests } from './decide-requests.ts';

/** The requests for the names of an instance: those decided now with their verdicts, and those that were decided before. */
export interface InstanceRequests {
  readonly decided: readonly DecidedRequest[];
  readonly settled: readonly Petition[];
}

/** Decides the requests of a joining instance at once, in place of at the next minute. */
export interface RequestDecider {
  /**
   * Decides the pending requests for the names of this instance. Instances that are asked for at the same time share the calls. Rejects where the requests, or what AWS says, cannot be read.
   */
  decideRequestsOf(instance: {
    readonly instanceId: string;
    readonly privateDnsName?: string | undefined;
  }): Promise<InstanceRequests>;
}

const namesAtOnce = 400;

export function createRequestDecider(context: CertificateContext): RequestDecider {
  const decideName = batched({
    limit: namesAtOnce,
    load: async (names: readonly string[]) => {
      const { decided, settled } = await decideRequests(context, new Set(names));
      const isFor =
        (name: string) =>
        ({ nodeName }: Petition): boolean =>
          nodeName === name;
      return new Map(
        names.map((name) => [
          name,
          { decided: decided.filter(isFor(name)), settled: settled.filter(isFor(name)) },
        ]),
      );
    },
  });
  return {
    decideRequestsOf: async ({ instanceId, privateDnsName }) => {
      const names = [instanceId, ...(privateDnsName ? [privateDnsName.toLowerCase()] : [])];
      const found = (await Promise.all(names.map(decideName))).filter((one) => one !== undefined);
      return {
        decided: found.flatMap(({ decided }) => decided),
        settled: found.flatMap(({ settled }) => settled),
      };
    },
  };
}
