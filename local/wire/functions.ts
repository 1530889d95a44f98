import type { CloudParts } from '../cloud/cloud.ts';
import { functionEnvironment } from '../lambda/environment.ts';
import type { FunctionRuntime } from '../lambda/runtime.ts';
import { createWorkerRuntime } from '../lambda/worker/worker-runtime.ts';
import type { RealClock } from '../simulation/real-clock.ts';

/** As long as Lambda lets a role's session be; an environment is ended before. */
const sessionSeconds = 12 * 3600;

/** The packaged bundles in threads of their own, with the roles of the template, calling AWS and the cluster over the wire. */
export const functionsOverTheWire =
  (parts: { readonly clock: RealClock; readonly endpoint: string }) =>
  ({ account, onLine }: CloudParts): FunctionRuntime =>
    createWorkerRuntime({
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
