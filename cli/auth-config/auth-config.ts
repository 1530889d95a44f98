import type { MappedArn } from '../../shared/identity/mapping.ts';
import { parseDocuments } from '../../shared/identity/parse-mapping.ts';
import { readMapping } from '../../shared/identity/read-mapping.ts';
import { webIdentityAuthenticator } from '../../shared/identity/web-identity/authenticator.ts';
import {
  authenticationConfiguration,
  mergeAuthentication,
} from '../../shared/identity/web-identity/merge.ts';
import type { NodeRole, WebIdentityTrust } from '../../shared/identity/web-identity/trust.ts';
import { audienceOf, trustOf } from '../../shared/identity/web-identity/trust.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../plain-text.ts';
import { type IssuerFlags, issuerOf } from './issuer.ts';

export interface AuthConfigFlags extends IssuerFlags {
  readonly cluster: string;
  readonly nodeRole: readonly NodeRole[];
  readonly person: readonly MappedArn[];
  readonly mapping?: string;
  readonly audience?: string;
  readonly anyMetadataVersion?: true;
  readonly discoveryUrl?: string;
  readonly certificateAuthority?: string;
  readonly merge?: string;
  readonly replace?: true;
}

/** Prints the configuration to stdout, and the entries that were left out and the next steps to stderr. */
export async function printAuthConfig(flags: AuthConfigFlags, context: CliContext): Promise<void> {
  const authenticators = [webIdentityAuthenticator(await readTrust(flags, context))];
  const text =
    flags.merge === undefined
      ? authenticationConfiguration(authenticators)
      : await merged(flags.merge, authenticators, { flags, context });
  context.stderr.write(nextSteps);
  context.stdout.write(text);
}

async function readTrust(flags: AuthConfigFlags, context: CliContext): Promise<WebIdentityTrust> {
  const { cluster, nodeRole, person, discoveryUrl, certificateAuthority } = flags;
  const { documents, problems: unread } = parseDocuments(
    flags.mapping === undefined ? '{}' : await readText(flags.mapping, context),
  );
  const { mapping, problems } = readMapping(documents, 'all');
  const { url: issuerUrl, accountId } = await issuerOf(flags, context);
  const reading = trustOf({
    issuerUrl,
    accountId,
    mapping,
    nodeRoles: nodeRole,
    people: person,
    audience: flags.audience ?? audienceOf(cluster),
    anyMetadataVersion: flags.anyMetadataVersion === true,
    discoveryUrl,
    certificateAuthority:
      certificateAuthority === undefined ? undefined : await readText(certificateAuthority, context),
  });
  for (const problem of [...unread, ...problems, ...(reading.kind === 'trust' ? reading.leftOut : [])])
    warn(`left out: ${problem}`, context);
  if (reading.kind === 'refused') throw new CliError(oneLine(reading.reason), exitCodes.failed);
  return reading.trust;
}

async function merged(
  file: string,
  authenticators: Parameters<typeof mergeAuthentication>[1],
  { flags, context }: { readonly flags: AuthConfigFlags; readonly context: CliContext },
): Promise<string> {
  const result = mergeAuthentication(await readText(file, context), authenticators, {
    replaces: flags.replace === true,
  });
  if (result.kind === 'refused') throw new CliError(oneLine(`${file}: ${result.reason}`), exitCodes.failed);
  for (const warning of result.warnings) warn(warning, context);
  return result.text;
}

const readText = (path: string, { readFile }: CliContext): Promise<string> =>
  readFile(path).catch((cause: unknown) => {
    throw new CliError(`${path} cannot be read`, exitCodes.failed, cause);
  });

const warn = (text: string, { stderr }: CliContext): void => stderr.write(`warning: ${oneLine(text)}\n`);

const nextSteps = `# Save it on every control-plane node, and start kube-apiserver with --authentication-config=FILE.
# kube-apiserver does not accept this flag together with --oidc-* flags: add their issuer to a file, and pass it to --merge.
# An API server that has the flag rereads a changed file within a minute.
`;
