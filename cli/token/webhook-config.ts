import { stringify } from 'yaml';
import { ssmClient } from '../../shared/aws/clients.ts';
import { createParameterStore } from '../../shared/aws/parameters.ts';
import { readWebhookSecrets } from '../../shared/identity/webhook-secret.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';

export interface WebhookConfigFlags {
  readonly cluster: string;
  readonly region?: string;
  readonly url: string;
  readonly parameter?: string;
  readonly file?: string;
  readonly 'openshift3.11'?: true;
}

/** Prints the kubeconfig for API servers, with the current secret; the settings that name it go to stderr. */
export async function printWebhookConfig(flags: WebhookConfigFlags, context: CliContext): Promise<void> {
  const url = webhookUrl(flags.url);
  const settings = settingsFor(flags);
  const parameter = flags.parameter ?? `/drover/${flags.cluster}/token-webhook`;
  const host = hostOf(context, environmentOf(flags, context));
  const stored = await createParameterStore(ssmClient(awsConnection(host))).read(parameter);
  const secrets = stored && readWebhookSecrets(stored.value);
  if (secrets === undefined) throw new CliError(missing(parameter, stored !== undefined), exitCodes.failed);
  context.stderr.write(settings);
  context.stdout.write(webhookKubeconfig({ url, secret: secrets.current }));
}

/** What names the file for an API server. @throws CliError for a file that the API server of OpenShift 3.11 cannot read. */
function settingsFor({ file, 'openshift3.11': isOpenShift }: WebhookConfigFlags): string {
  if (isOpenShift) return openShiftSettings(file ?? `${masterFolder}token-webhook.yaml`);
  const path = file ?? '/etc/kubernetes/token-webhook.yaml';
  return `# Save it as ${path}, readable only by root, and start the API server with:\n${webhookFlags(path).join('\n')}\n`;
}

/** @throws CliError for an address that would send the secret in the clear, or elsewhere than to the webhook. */
function webhookUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.href !== `${url.origin}/token-review`)
    throw new CliError(
      'give --url as the deployment prints it: https://ID.execute-api.REGION.amazonaws.com/token-review',
      exitCodes.usage,
    );
  return url.href;
}

const missing = (parameter: string, isThere: boolean): string =>
  `the parameter ${parameter} ${isThere ? 'is not {"current": "..."}' : 'is missing'}: make a secret with
  aws ssm put-parameter --type SecureString --name ${parameter} ${isThere ? '--overwrite ' : ''}--value "{\\"current\\":\\"$(openssl rand -hex 32)\\"}"`;

export interface WebhookConfig {
  /** The URL of the webhook, with its path. */
  readonly url: string;
  readonly secret: string;
}

/** The kubeconfig with which an API server calls the webhook (Kubernetes, "Webhook Token Authentication"). It contains the secret. */
export const webhookKubeconfig = ({ url, secret }: WebhookConfig): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'drover', cluster: { server: url } }],
    users: [{ name: 'api-server', user: { token: secret } }],
    contexts: [{ name: 'webhook', context: { cluster: 'drover', user: 'api-server' } }],
    'current-context': 'webhook',
  });

/** The folder of the master that the pod of the API server of OpenShift 3.11 mounts (openshift-ansible, `roles/openshift_control_plane/files/apiserver.yaml`). */
const masterFolder = '/etc/origin/master/';

/**
 * How OpenShift 3.11 takes the webhook: its authenticators are those of `authConfig` (openshift/origin,
 * `openshiftkubeapiserver/authenticator.go`), and the version is always v1beta1.
 *
 * @throws CliError for a file outside the folder that its pod mounts.
 */
export function openShiftSettings(file: string): string {
  if (!file.startsWith(masterFolder) || file.includes('/../'))
    throw new CliError(
      `--file ${file} is not below ${masterFolder}: the pod of the API server of OpenShift 3.11 mounts no other folder for it`,
      exitCodes.usage,
    );
  const patch = { authConfig: { webhookTokenAuthenticators: [{ configFile: file, cacheTTL: '30s' }] } };
  return `# On each master, one after the other: save it as ${file}, readable only by root, and add to ${masterFolder}master-config.yaml:
${stringify(patch)}# The same as a command, and the restart:
#   cp -p ${masterFolder}master-config.yaml ${masterFolder}master-config.yaml.before
#   oc ex config patch ${masterFolder}master-config.yaml.before -p '${JSON.stringify(patch)}' > ${masterFolder}master-config.yaml
#   /usr/local/bin/master-restart api
# A playbook of openshift-ansible that writes master-config.yaml removes these lines: repeat the command after it. This variable of the inventory
# sets the flag of Kubernetes, which the API server of 3.11 accepts but does not use for log-ins:
#   osm_api_server_args={'authentication-token-webhook-config-file': ['${file}']}
`;
}

/** The flags of the API server. The default version is not v1. The API server caches answers, so a revoked identity stays valid for that time. */
export const webhookFlags = (file: string): readonly string[] => [
  `--authentication-token-webhook-config-file=${file}`,
  '--authentication-token-webhook-version=v1',
  '--authentication-token-webhook-cache-ttl=30s',
];
