import { createCertificateRequest, createKey } from '@drover/cloud-sandbox/kubernetes';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { parse } from 'yaml';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { signers } from '../../../shared/certificates/certificate-request.ts';
import { requestsPath } from '../certificates/kubelet.ts';
import type { Scene } from './live-history.ts';
import type { Step } from './plan/history.ts';

/** The parameter from which kubelets read their bootstrap kubeconfig. */
export const bootstrapParameterOf = ({ lambda }: Pick<DroverWorld, 'lambda'>): string =>
  lambda.functionOf('bootstrap-credential').environment.DROVER_BOOTSTRAP_PARAMETER ?? '';

/** How the requests of strangers are called. */
export const strangerPrefix = 'stranger-';

type Asking = Extract<Step, { readonly kind: 'stranger-asks' }>;

/** Asks for the name of another with the published bootstrap token, under a key of its own. */
export async function askAsStranger(scene: Scene, step: Asking, target: string): Promise<void> {
  const { world } = scene;
  const nodeName = nameFor(scene, step, target);
  const token = bootstrapToken(world);
  if (nodeName === undefined || token === undefined) return;
  const random = createRandom(step.at + 1);
  const commonName = `system:node:${nodeName}`;
  const key = createKey(random.secretBytes);
  const pem = createCertificateRequest({ key, subject: { commonName, organizations: ['system:nodes'] } });
  await world.kubernetes.sendHttp({
    method: 'POST',
    url: `https://kubernetes.sandbox${requestsPath}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: `${strangerPrefix}${step.at}-${nodeName}` },
      spec: {
        request: Buffer.from(pem).toString('base64'),
        signerName: signers.client,
        usages: ['digital signature', 'client auth'],
      },
    }),
    timeoutMilliseconds: 1000,
  });
}

function nameFor({ census, groups }: Scene, { forName }: Asking, target: string): string | undefined {
  const foreign = groups.filter(({ managed }) => !managed).map((group) => group.autoScalingGroupName);
  const chosen = census.all().find((one) => {
    if (forName === 'serving') return one.instanceId === target;
    if (forName === 'gone') return one.lifecycleState === undefined;
    return foreign.includes(one.autoScalingGroupName);
  });
  return chosen?.nodeName;
}

function bootstrapToken(world: DroverWorld): string | undefined {
  const text = world.account.ssm.controls.value(bootstrapParameterOf(world));
  if (text === undefined) return undefined;
  const { users = [] } = parse(text) as {
    readonly users?: readonly { readonly user?: { token?: string } }[];
  };
  return users[0]?.user?.token;
}
