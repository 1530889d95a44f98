import { readFileSync } from 'node:fs';
import { createSsm } from '@drover/cloud-sandbox/aws';
import { createKubernetes, createObject, definitionOf } from '@drover/cloud-sandbox/kubernetes';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import {
  accountId,
  createTestFront,
  credentials,
  region,
} from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { parseAllDocuments } from 'yaml';
import type { FunctionHost } from '../../../shared/runtime/host.ts';

export const server = 'https://api.sandbox:6443';
/** Its content does not matter: the in-process API server speaks no TLS. */
export const certificateAuthorityData = Buffer.from(
  '-----BEGIN CERTIFICATE-----\nQ0E=\n-----END CERTIFICATE-----\n',
).toString('base64');
export const kubeconfigParameter = '/drover/drover/kubeconfig';
export const bootstrapParameter = '/drover/drover/bootstrap-kubeconfig';

const kubeconfig = (token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'drover',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': certificateAuthorityData } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'drover', context: { cluster: 'c', user: 'u' } }],
  });

/**
 * A simulated Parameter Store and a simulated cluster on one clock, behind the SDK and the Kubernetes client as on Lambda.
 * The user of the kubeconfig may do what deploy/rbac.yaml says, and nothing else.
 */
export function createRotationSandbox(environment: FunctionHost['environment'] = {}) {
  const clock = createManualClock();
  const random = createRandom(11);
  const ssm = createSsm({ clock, accountId, region, putAwsEvent: () => undefined });
  const { clientOptions } = createTestFront({ services: [ssm], clock });
  const kubernetes = createKubernetes({ clock, random });
  applyManifest(kubernetes);
  const userToken = kubernetes.addToken({ username: 'drover', groups: ['drover'] });
  const put = (Name: string, Value: string): void =>
    void ssm.operations.PutParameter(
      { Name, Value, Type: 'SecureString' },
      { principal: { accountId, arn: '', accessKeyId: '' }, requestId: '' },
    );
  put(kubeconfigParameter, kubeconfig(userToken));
  const lines: string[] = [];
  const host: FunctionHost = {
    environment: {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      DROVER_CLUSTER: 'drover',
      DROVER_KUBECONFIG_PARAMETER: kubeconfigParameter,
      DROVER_BOOTSTRAP_PARAMETER: bootstrapParameter,
      ...environment,
    },
    clock,
    randomBytes: (size) => Uint8Array.from({ length: size }, () => random.integer(0, 255)),
    awsRequestHandler: clientOptions.requestHandler,
    sendHttp: kubernetes.sendHttp,
    writeLine: (line) => void lines.push(line),
  };
  const secrets = () => kubernetes.store.of('secrets').list();
  return {
    clock,
    ssm,
    kubernetes,
    host,
    lines,
    secrets,
    /** Writes a parameter as something else would. */
    put,
    published: () => ssm.controls.value(bootstrapParameter),
  };
}

function applyManifest({ registry }: ReturnType<typeof createKubernetes>): void {
  for (const document of parseAllDocuments(readFileSync('deploy/rbac.yaml', 'utf8'))) {
    const object: { readonly kind: string } = document.toJS();
    const plural = `${object.kind.toLowerCase()}s`;
    const key = object.kind === 'ServiceAccount' ? plural : `${plural}.rbac.authorization.k8s.io`;
    createObject(registry, definitionOf(key), object);
  }
}
