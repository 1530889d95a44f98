import type { CloudParts } from '@drover/cloud-sandbox';
import {
  createPackagedRuntime,
  createWorkerRuntime,
  type FunctionRuntime,
  functionEnvironment,
} from '@drover/cloud-sandbox/lambda';
import type { RealClock } from '@drover/cloud-sandbox/simulation';

/** As long as Lambda lets a role's session be; an environment is ended before. */
const sessionSeconds = 12 * 3600;

/** They call etcd at addresses of the simulated VPC, which no socket of this machine reaches. */
const callersOfEtcd = new Set(['etcd-membership', 'etcd-snapshot']);

/**
 * The packaged bundles, with the roles of the template: in threads of their own, calling AWS and the cluster over the wire, or
 * in this one, if they call what no wire leads to.
 */
export const functionsOverTheWire =
  (parts: { readonly clock: RealClock; readonly endpoint: string }) =>
  ({ account, hostFor, onLine }: CloudParts): FunctionRuntime => {
    const inThisThread = createPackagedRuntime({ hostFor, clock: parts.clock });
    const inThreads = createWorkerRuntime({
      environmentFor: (wiring) =>
        functionEnvironment({
          wiring,
          region: account.region,
          endpoint: parts.endpoint,
          credentials: account.iam.issueCredentials({
            roleArn: wiring.roleArn,
            sessionName: wiring.name,
            durationSeconds: sessionSeconds,
          }),
        }),
      time: () => parts.clock.time(),
      onLine: ({ name }, line) => onLine(name, line),
    });
    return {
      start: (wiring) => (callersOfEtcd.has(wiring.name) ? inThisThread : inThreads).start(wiring),
    };
  };
