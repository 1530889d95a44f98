import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type FunctionWiring, type Wiring } from '@drover/cloud-sandbox';
import { createCertificateAuthority, serveKubernetes } from '@drover/cloud-sandbox/kubernetes';
import { functionEnvironment } from '@drover/cloud-sandbox/lambda';
import { createRandom, createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { startAwsServer } from '@drover/cloud-sandbox/wire';
import { createDroverCloud } from '../../local/cloud/drover-cloud.ts';
import { addGroup, publishKubeconfig } from '../../local/cloud/furnish.ts';
import { applyManifests } from '../../local/deployment/apply-manifests.ts';

/** A small cloud on its own ports: the groups that `events/` names and a cluster. No function runs by itself. */
export interface EmbeddedSandbox {
  readonly environmentFor: (wiring: FunctionWiring) => Readonly<Record<string, string>>;
  /** The bodies of the messages, by queue. */
  messages(): readonly { readonly queueName: string; readonly bodies: readonly string[] }[];
  close(): Promise<void>;
}

const pumpMilliseconds = 20;
const sessionSeconds = 3600;

/** @throws the error of a port that cannot be opened. */
export async function startEmbeddedSandbox(wiring: Wiring, clusterName: string): Promise<EmbeddedSandbox> {
  const clock = createVirtualClock(Date.now());
  const { region, accountId } = wiring;
  const random = createRandom(1, { secretBytes: randomBytes });
  const cloud = createDroverCloud({ clock, random, wiring, accountId, region, clusterName });
  const { account, kubernetes } = cloud;
  addGroup(cloud, {
    autoScalingGroupName: 'drover-workers',
    clusterName,
    size: 2,
    hook: { name: 'drover-node-leaving', heartbeatTimeoutSeconds: 300 },
  });
  const authority = createCertificateAuthority(clock.now());
  const server = await serveKubernetes({ handle: kubernetes.handle, authority, port: 0 });
  const aws = await startAwsServer({ front: account.front, port: 0, onFault: reportFault });
  const admin = { sendHttp: kubernetes.sendHttp, server: server.url, token: kubernetes.adminToken };
  await applyManifests(await readFile('deploy/rbac.yaml', 'utf8'), admin);
  const token = kubernetes.addToken({ username: 'drover', groups: ['drover', 'system:authenticated'] });
  for (const parameterName of kubeconfigParameters(wiring))
    publishKubeconfig(cloud, {
      parameterName,
      server: server.url,
      token,
      certificateAuthority: authority.certificate,
    });
  const pump = setInterval(() => {
    while (clock.step(Date.now()));
    clock.moveTo(Date.now());
  }, pumpMilliseconds);
  return {
    environmentFor: (called) =>
      functionEnvironment({
        wiring: called,
        region,
        credentials: account.iam.issueCredentials({
          roleArn: called.roleArn,
          sessionName: called.name,
          durationSeconds: sessionSeconds,
        }),
        endpoint: aws.url,
      }),
    messages: () =>
      account.sqs.controls.queueNames().flatMap((queueName) => {
        const bodies = account.sqs.controls.peek(queueName).map(({ body }) => body);
        return bodies.length === 0 ? [] : [{ queueName, bodies }];
      }),
    close: async () => {
      clearInterval(pump);
      await Promise.all([aws.close(), server.close()]);
    },
  };
}

const kubeconfigParameters = ({ functions }: Wiring): ReadonlySet<string> =>
  new Set(functions.flatMap(({ environment }) => environment.DROVER_KUBECONFIG_PARAMETER ?? []));

function reportFault(error: unknown): void {
  process.stderr.write(`the sandbox has failed: ${error instanceof Error ? error.stack : String(error)}\n`);
}
