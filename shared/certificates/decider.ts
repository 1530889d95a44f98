import { batched } from '../base/batched.ts';
import { type CertificateContext, type DecidedRequest, decideRequests } from './decide-requests.ts';

/** Decides the requests of a joining instance at once, in place of at the next minute. */
export interface RequestDecider {
  /**
   * Decides the pending requests for the names of this instance, and gives them with their verdicts. Instances that are asked for at the
   * same time share the calls. Rejects where the requests, or what AWS says, cannot be read.
   */
  decideRequestsOf(instance: {
    readonly instanceId: string;
    readonly privateDnsName?: string | undefined;
  }): Promise<readonly DecidedRequest[]>;
}

const namesAtOnce = 400;

export function createRequestDecider(context: CertificateContext): RequestDecider {
  const decideName = batched({
    limit: namesAtOnce,
    load: async (names: readonly string[]) => {
      const { decided } = await decideRequests(context, new Set(names));
      return Map.groupBy(decided, ({ nodeName }) => nodeName ?? '');
    },
  });
  return {
    decideRequestsOf: async ({ instanceId, privateDnsName }) => {
      const names = [instanceId, ...(privateDnsName ? [privateDnsName.toLowerCase()] : [])];
      return (await Promise.all(names.map(decideName))).flatMap((decided) => decided ?? []);
    },
  };
}
