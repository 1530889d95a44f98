import { ssmClient } from '../../shared/aws/clients.ts';
import { createParameterStore } from '../../shared/aws/parameters.ts';
import { webhookFlags, webhookKubeconfig } from '../../shared/identity/webhook-kubeconfig.ts';
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
  readonly file: string;
}

/** Prints the kubeconfig for API servers, with the current secret; the flags that name it go to stderr. */
export async function printWebhookConfig(flags: WebhookConfigFlags, context: CliContext): Promise<void> {
  const url = webhookUrl(flags.url);
  const parameter = flags.parameter ?? `/drover/${flags.cluster}/token-webhook`;
  const host = hostOf(context, environmentOf(flags, context));
  const stored = await createParameterStore(ssmClient(awsConnection(host))).read(parameter);
  const secrets = stored && readWebhookSecrets(stored.value);
  if (secrets === undefined) throw new CliError(missing(parameter, stored !== undefined), exitCodes.failed);
  context.stderr.write(
    `# Save it as ${flags.file}, readable by root alone, and start the API server with:\n${webhookFlags(flags.file).join('\n')}\n`,
  );
  context.stdout.write(webhookKubeconfig({ url, secret: secrets.current }));
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
