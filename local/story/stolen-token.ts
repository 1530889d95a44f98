import type { Cloud } from '@drover/cloud-sandbox';
import { createCertificateRequest, createKey } from '@drover/cloud-sandbox/kubernetes';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { signers } from '../../shared/certificates/certificate-request.ts';
import { applyManifests } from '../deployment/apply-manifests.ts';

const requestName = 'stranger';

const kubeconfigSchema = z.object({ users: z.array(z.object({ user: z.object({ token: z.string() }) })) });

interface StolenFrom {
  /** Default: that of the bootstrap credential. */
  readonly parameterName?: string;
  /** Of `certificates.k8s.io`. */
  readonly version?: 'v1' | 'v1beta1';
}

/**
 * Asks for the client certificate of a node as a thief of the published bootstrap kubeconfig would. Drover judges
 * the request before this resolves, and not by its schedule.
 *
 * @returns the name of the request
 * @throws Error if no kubeconfig is published, and with the response of the API server if it refuses
 */
export async function askWithStolenToken(
  cloud: Cloud,
  nodeName: string,
  { parameterName, version = 'v1' }: StolenFrom = {},
): Promise<string> {
  const { sendHttp } = cloud.kubernetes;
  const request = createCertificateRequest({
    key: createKey(cloud.account.random.secretBytes),
    subject: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
  });
  const manifest = {
    apiVersion: `certificates.k8s.io/${version}`,
    kind: 'CertificateSigningRequest',
    metadata: { name: requestName },
    spec: {
      request: Buffer.from(request).toString('base64'),
      ...(version === 'v1' && { signerName: signers.client }),
      usages: ['digital signature', 'client auth'],
    },
  };
  const stolen = {
    sendHttp,
    server: 'https://kubernetes.sandbox',
    token: publishedToken(cloud, parameterName),
  };
  await applyManifests(JSON.stringify(manifest), stolen);
  await cloud.lambda.invoke('certificate-requests', {});
  return requestName;
}

/** @throws ZodError or YAMLParseError if no kubeconfig is published there */
export function publishedToken(
  { account, lambda }: Cloud,
  name = lambda.functionOf('bootstrap-credential').environment.DROVER_BOOTSTRAP_PARAMETER ?? '',
): string {
  const { users } = kubeconfigSchema.parse(parse(account.ssm.controls.value(name) ?? ''));
  return users[0]?.user.token ?? '';
}
