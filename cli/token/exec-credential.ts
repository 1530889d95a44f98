import * as z from 'zod/mini';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { parseJson } from '../../shared/base/parse-json.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import type { KeptToken } from './kept-token.ts';

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const;
const infoSchema = z.object({ apiVersion: z.enum(versions) });

export type ExecVersion = (typeof versions)[number];

/**
 * The version to answer in. client-go before 1.20 does not set the variable for v1beta1 (kubernetes/kubernetes#61796), and knows no v1.
 *
 * @throws CliError where the kubeconfig asks for a version that is neither v1 nor v1beta1.
 */
export function apiVersionAsked({ environment }: CliContext): ExecVersion {
  const info = environment['KUBERNETES_EXEC_INFO'];
  if (info === undefined || info === '') return 'client.authentication.k8s.io/v1beta1';
  const parsed = z.safeParse(infoSchema, parseJson(info));
  if (parsed.success) return parsed.data.apiVersion;
  throw new CliError(`the kubeconfig must ask for the apiVersion ${versions.join(' or ')}`, exitCodes.usage);
}

/** What a kubeconfig's exec plugin answers (Kubernetes, "client-go credential plugins"). */
export const execCredential = (apiVersion: ExecVersion, { token, expiresAt }: KeptToken): string =>
  jsonText({
    apiVersion,
    kind: 'ExecCredential',
    status: { token, expirationTimestamp: isoSeconds(expiresAt) },
  });
