import type { AssumeRoleCommandInput, GetWebIdentityTokenCommandInput } from '@aws-sdk/client-sts';
import type { SimulatedIam } from '../iam/iam.ts';
import { AwsError, type AwsService, type CallContext } from '../service.ts';
import { getWebIdentityToken, type WebIdentityParts } from './web-identity-token.ts';

export interface SimulatedSts extends AwsService {
  readonly signingName: 'sts';
  readonly operations: ReturnType<typeof createOperations>;
}

const defaultSeconds = 3600;
/** A role's MaxSessionDuration unless it says otherwise, and the most that a role gives to another role's session. */
const maximumSeconds = 3600;
const minimumSeconds = 900;

/**
 * AWS STS: GetCallerIdentity (also presigned, and as JSON where the caller accepts it: both are the front's doing),
 * AssumeRole and GetWebIdentityToken. Whether the role trusts the caller is asked before, by the authorizer. Left out: session policies, session
 * tags, external identity providers, and that the global endpoint has no GetWebIdentityToken.
 */
export const createSts = (parts: WebIdentityParts): SimulatedSts => ({
  signingName: 'sts',
  operations: createOperations(parts),
});

const createOperations = ({ iam, ...parts }: WebIdentityParts) => ({
  GetCallerIdentity: (_input: object, { principal }: CallContext) => ({
    UserId: iam.userIdOf(principal),
    Account: principal.accountId,
    Arn: principal.arn,
  }),
  AssumeRole: (input: AssumeRoleCommandInput, call: CallContext) => assumeRole(iam, input, call),
  GetWebIdentityToken: (input: GetWebIdentityTokenCommandInput, { principal }: CallContext) =>
    getWebIdentityToken({ iam, ...parts }, input, principal),
});

const validation = (message: string): AwsError => new AwsError({ code: 'ValidationError', message });

function assumeRole(iam: SimulatedIam, input: AssumeRoleCommandInput, { principal }: CallContext) {
  const { RoleArn: roleArn = '', RoleSessionName: sessionName = '' } = input;
  checkAssumeRole(input);
  const role = iam.role(roleArn);
  if (role === undefined) {
    const message = `User: ${principal.arn} is not authorized to perform: sts:AssumeRole on resource: ${roleArn}`;
    throw new AwsError({ code: 'AccessDenied', message, statusCode: 403 });
  }
  const durationSeconds = input.DurationSeconds ?? defaultSeconds;
  const credentials = iam.issueCredentials({ roleArn, sessionName, durationSeconds });
  const arn = `arn:aws:sts::${principal.accountId}:assumed-role/${roleArn.split('/').at(-1)}/${sessionName}`;
  return {
    Credentials: {
      AccessKeyId: credentials.accessKeyId,
      SecretAccessKey: credentials.secretAccessKey,
      SessionToken: credentials.sessionToken,
      Expiration: new Date(credentials.expiresAtMilliseconds ?? 0),
    },
    AssumedRoleUser: { AssumedRoleId: `${role.roleId}:${sessionName}`, Arn: arn },
  };
}

function checkAssumeRole(input: AssumeRoleCommandInput): void {
  if (!/^[\w+=,.@-]{2,64}$/.test(input.RoleSessionName ?? '')) {
    throw validation(
      `1 validation error detected: Value '${input.RoleSessionName}' at 'roleSessionName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]*`,
    );
  }
  const seconds = input.DurationSeconds ?? defaultSeconds;
  if (seconds < minimumSeconds) throw validation(`DurationSeconds must be at least ${minimumSeconds}.`);
  if (seconds > maximumSeconds) {
    throw validation('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.');
  }
  if (input.Policy !== undefined || input.PolicyArns !== undefined || input.Tags !== undefined) {
    throw validation('This sandbox does not do session policies or session tags.');
  }
}
