import type { RoleRequest } from '../../shared/aws/assume-role.ts';
import type { AwsConnection, AwsCredentials } from '../../shared/aws/connection.ts';
import { readCallerArn } from '../../shared/identity/arn.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../plain-text.ts';

export interface RoleFlags {
  readonly roleArn?: string;
  readonly sessionName?: string;
  readonly externalId?: string;
}

/** Undefined without `--role-arn`. @throws CliError for what STS would refuse. */
export function roleOf({ roleArn, sessionName, externalId }: RoleFlags): RoleRequest | undefined {
  if (roleArn === undefined) {
    if (sessionName !== undefined) throw usage('--session-name is for --role-arn');
    if (externalId !== undefined) throw usage('--external-id is for --role-arn');
    return undefined;
  }
  if (!roleArn.includes(':role/') || readCallerArn(roleArn) === undefined)
    throw usage('--role-arn is not the ARN of a role: write arn:aws:iam::123456789012:role/NAME');
  if (sessionName !== undefined && !/^[\w+=,.@-]{2,64}$/.test(sessionName))
    throw usage('--session-name has 2 to 64 letters, digits and +=,.@_-');
  if (externalId !== undefined && !/^[\w+=,.@:/-]{2,1224}$/.test(externalId))
    throw usage('--external-id has 2 to 1,224 letters, digits and +=,.@:/_-');
  return { roleArn, sessionName: sessionName ?? 'drover', externalId, durationSeconds };
}

/** What STS gives if nothing else is asked for, and the most for a role that assumes another one (STS API reference, AssumeRole). */
const durationSeconds = 3600;

const usage = (message: string): CliError => new CliError(message, exitCodes.usage);

/** @throws CliError with the remedy where STS gives no session of the role. */
export async function assumedCredentials(
  connection: AwsConnection,
  role: RoleRequest,
): Promise<Required<AwsCredentials>> {
  // Loaded only for tokens of a role.
  const { assumeRole } = await import('../../shared/aws/assume-role.ts');
  return await assumeRole(connection, role).catch((cause: unknown) => {
    const remedy = cause instanceof Error ? remedies[cause.name]?.(oneLine(role.roleArn)) : undefined;
    throw remedy === undefined ? cause : new CliError(remedy, exitCodes.failed, cause);
  });
}

/** By the errors of STS. */
const remedies: Readonly<Record<string, (roleArn: string) => string>> = {
  AccessDenied: (roleArn) =>
    `you may not assume ${roleArn}: the role must trust your identity (with the --external-id and --session-name that it asks for), and that needs sts:AssumeRole`,
  ExpiredToken: () => 'the AWS credentials have expired: sign in again',
  RegionDisabledException: () =>
    'STS is not active in this region: give another --region, or activate it in the account settings of IAM',
};

/** AWS itself refuses a signature that is five minutes off ("Signature expired"). */
const skewMilliseconds = 5 * 60_000;

/**
 * What is wrong with the clock of this machine, by the time at which a session of known length ends. Nothing else shows it: a token is signed without a
 * call, and an API server only refuses it. Undefined if it is right. Pure.
 */
export function skewOf(
  { expiration }: AwsCredentials,
  { seconds, now }: { readonly seconds: number; readonly now: number },
): string | undefined {
  const behind = expiration === undefined ? 0 : expiration.getTime() - seconds * 1000 - now;
  if (!(Math.abs(behind) > skewMilliseconds)) return undefined;
  const minutes = Math.round(Math.abs(behind) / 60_000);
  return `the clock of this machine is ${minutes} minutes ${behind > 0 ? 'behind' : 'ahead'}: API servers refuse what it signs. Set it, for example with NTP`;
}
