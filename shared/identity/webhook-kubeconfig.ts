import { stringify } from 'yaml';

export interface WebhookConfig {
  /** Of the webhook, with its path. */
  readonly url: string;
  readonly secret: string;
}

/** The kubeconfig by which an API server finds the webhook (Kubernetes, "Webhook Token Authentication"). It holds the secret. */
export const webhookKubeconfig = ({ url, secret }: WebhookConfig): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'drover', cluster: { server: url } }],
    users: [{ name: 'api-server', user: { token: secret } }],
    contexts: [{ name: 'webhook', context: { cluster: 'drover', user: 'api-server' } }],
    'current-context': 'webhook',
  });

/** The flags of the API server. Version v1 has to be said; an answer is kept for the cache's time, and so is one that has been taken back. */
export const webhookFlags = (file: string): readonly string[] => [
  `--authentication-token-webhook-config-file=${file}`,
  '--authentication-token-webhook-version=v1',
  '--authentication-token-webhook-cache-ttl=30s',
];
