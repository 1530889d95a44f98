import type {
  GetInstanceProfileRequest,
  ListInstanceProfilesForRoleRequest,
  SimulatePrincipalPolicyRequest,
} from '@aws-sdk/client-iam';
import { AwsError, type AwsService } from '../service.ts';
import type { SimulatedIam } from './iam.ts';
import { roleOperations, unknownRole } from './role-operations.ts';
import { simulatePolicy } from './simulate-policy.ts';

const operationsOf = ({ iam, accountId }: IamApiOptions) => ({
  ...roleOperations(iam),
  GetInstanceProfile: ({ InstanceProfileName: name = '' }: GetInstanceProfileRequest) => {
    const role = iam.role(`arn:aws:iam::${accountId}:role/${name}`);
    if (role === undefined)
      throw new AwsError({
        code: 'NoSuchEntity',
        message: `Instance Profile ${name} cannot be found.`,
        statusCode: 404,
      });
    return { InstanceProfile: profileOf(role, { name, accountId }) };
  },
  /** https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListInstanceProfilesForRole.html */
  ListInstanceProfilesForRole: ({ RoleName: name = '' }: ListInstanceProfilesForRoleRequest) => {
    const role = iam.role(`arn:aws:iam::${accountId}:role/${name}`);
    if (role === undefined) throw unknownRole(name);
    return { InstanceProfiles: [profileOf(role, { name, accountId })], IsTruncated: false };
  },
  /** Of roles: nothing here asks about a user. */
  SimulatePrincipalPolicy: (request: SimulatePrincipalPolicyRequest) => {
    const { PolicySourceArn: arn = '' } = request;
    const role = iam.role(arn);
    if (role === undefined) throw unknownRole(arn.split('/').at(-1) ?? arn);
    return { EvaluationResults: simulatePolicy(role.policies, request), IsTruncated: false };
  },
  EnableOutboundWebIdentityFederation: () => {
    if (!iam.tokenIssuer.enable())
      throw new AwsError({
        code: 'FeatureEnabledException',
        message: `${feature} is already enabled.`,
        statusCode: 409,
      });
    return { IssuerIdentifier: iam.tokenIssuer.url() };
  },
  DisableOutboundWebIdentityFederation: () => {
    if (!iam.tokenIssuer.disable()) throw disabled();
    return {};
  },
  GetOutboundWebIdentityFederationInfo: () => {
    if (!iam.tokenIssuer.isEnabled()) throw disabled();
    return { IssuerIdentifier: iam.tokenIssuer.url(), JwtVendingEnabled: true };
  },
});

function profileOf(
  role: { readonly roleId: string; readonly arn: string },
  { name, accountId }: { readonly name: string; readonly accountId: string },
) {
  const created = { Path: '/', CreateDate: new Date(0) };
  return {
    ...created,
    InstanceProfileName: name,
    InstanceProfileId: role.roleId.replace(/^AROA/, 'AIPA'),
    Arn: `arn:aws:iam::${accountId}:instance-profile/${name}`,
    Roles: [{ ...created, RoleName: name, RoleId: role.roleId, Arn: role.arn }],
  };
}

const feature = 'Outbound web identity federation';
const disabled = (): AwsError =>
  new AwsError({
    code: 'FeatureDisabledException',
    message: `${feature} is not enabled for this account.`,
    statusCode: 404,
  });

interface IamApiOptions {
  readonly iam: SimulatedIam;
  readonly accountId: string;
}

/** The API of IAM, as far as roles with inline policies go and can be simulated, instance profiles can be read, and the account's issuer of web identity tokens be switched. The profile of each role has its name, as the console makes it. */
export interface IamApi extends AwsService {
  readonly operations: ReturnType<typeof operationsOf>;
}

export const createIamApi = (options: IamApiOptions): IamApi => ({
  signingName: 'iam',
  operations: operationsOf(options),
});
