import * as z from 'zod/mini';
import { parseJson } from '../../shared/base/parse-json.ts';
import type { MadeCredentials } from '../../shared/kubernetes/kubeconfig/connect.ts';
import type { ExecPlugin } from '../../shared/kubernetes/kubeconfig/parse.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

const credentialSchema = z.object({
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.optional(z.string()),
    clientCertificateData: z.optional(z.string()),
    clientKeyData: z.optional(z.string()),
    expirationTimestamp: z.nullish(z.iso.datetime({ offset: true })),
  }),
});

/**
 * Runs a credential plugin of a kubeconfig (client.authentication.k8s.io, "client-go credential plugins"). A plugin that
 * asks for `provideClusterInfo` is run without it.
 *
 * @throws CliError that names the program; never what it printed, which holds the credential.
 */
export async function runPlugin(
  plugin: ExecPlugin,
  { runProgram, stdout }: Pick<CliContext, 'runProgram' | 'stdout'>,
): Promise<MadeCredentials> {
  const interactive = plugin.interactiveMode !== 'Never' && stdout.isTerminal;
  if (plugin.interactiveMode === 'Always' && !interactive)
    throw new CliError(`${plugin.command} is interactive, but there is no terminal`, exitCodes.failed);
  const info = { apiVersion: plugin.apiVersion, kind: 'ExecCredential', spec: { interactive } };
  const environment = {
    ...Object.fromEntries((plugin.env ?? []).map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
  const output = await runProgram({ command: plugin.command, args: plugin.args ?? [], environment }).catch(
    (cause: unknown) => {
      throw new CliError(`the credential plugin ${plugin.command} failed`, exitCodes.failed, cause);
    },
  );
  return readCredential(output, plugin.command);
}

function readCredential(output: string, command: string): MadeCredentials {
  const result = z.safeParse(credentialSchema, parseJson(output));
  if (!result.success)
    throw new CliError(`the credential plugin ${command} printed no ExecCredential`, exitCodes.failed);
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = result.data.status;
  return {
    ...(token !== undefined && { token }),
    ...(clientCertificateData && { clientCertificate: clientCertificateData }),
    ...(clientKeyData && { clientKey: clientKeyData }),
    ...(expirationTimestamp && { expiresAt: Date.parse(expirationTimestamp) }),
  };
}
