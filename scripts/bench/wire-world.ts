import { createCertificateAuthority, serveKubernetes } from '@drover/cloud-sandbox/kubernetes';
import { functionEnvironment } from '@drover/cloud-sandbox/lambda';
import { startAwsServer } from '@drover/cloud-sandbox/wire';
import { publishKubeconfig } from '../../local/cloud/furnish.ts';
import type { DroverWorld } from '../../local/world/drover-world.ts';

/** A simulated cloud on real ports, for a function that runs in a separate process. Time still moves only on request. */
export interface WireWorld {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens the ports and puts a kubeconfig that leads there where the function reads it. */
export async function openWire(world: DroverWorld, functionName: string): Promise<WireWorld> {
  const { account, kubernetes } = world;
  const authority = createCertificateAuthority(Date.now());
  const server = await serveKubernetes({ handle: kubernetes.handle, authority, port: 0 });
  const aws = await startAwsServer({ front: account.front, port: 0, onFault: tellFault });
  const wiring = world.lambda.functionOf(functionName);
  publishKubeconfig(world, {
    parameterName: wiring.environment.DROVER_KUBECONFIG_PARAMETER ?? '',
    server: server.url,
    token: kubernetes.addToken({ username: 'drover', groups: ['drover', 'system:authenticated'] }),
    certificateAuthority: authority.certificate,
  });
  const credentials = account.iam.issueCredentials({
    roleArn: wiring.roleArn,
    sessionName: functionName,
    durationSeconds: 3600,
  });
  return {
    environment: functionEnvironment({ wiring, region: account.region, credentials, endpoint: aws.url }),
    close: async () => {
      await Promise.all([aws.close(), server.close()]);
    },
  };
}

const tellFault = (error: unknown): void =>
  void process.stderr.write(`the sandbox has failed: ${String(error)}\n`);
