import type {
  CreateRoleRequest,
  DeleteRolePolicyRequest,
  DeleteRoleRequest,
  GetRoleRequest,
  ListRolePoliciesRequest,
  ListRolesRequest,
  PutRolePolicyRequest,
} from '@aws-sdk/client-iam';
import { page, pageSize } from '../paging.ts';
import { AwsError } from '../service.ts';
import type { Role, SimulatedIam } from './iam.ts';

/**
 * Roles and their inline policies: https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html
 * Left out: paths, managed policies, tags. A permissions boundary is kept and shown, and limits nothing.
 */
export function roleOperations(iam: SimulatedIam) {
  const find = (name: string): Role => {
    const role = iam.roleNamed(name);
    if (role === undefined) throw unknownRole(name);
    return role;
  };
  const change = (
    { arn, permissionsBoundary, trustPolicyDocument }: Role,
    policies: ReadonlyMap<string, unknown>,
  ): void =>
    void iam.putRole({
      roleName: pathAndName(arn),
      policies,
      trustPolicy: trustPolicyDocument,
      permissionsBoundary,
    });
  return {
    CreateRole: ({
      RoleName: name = '',
      AssumeRolePolicyDocument: trust = '',
      PermissionsBoundary: permissionsBoundary,
    }: CreateRoleRequest) => {
      if (iam.roleNamed(name) !== undefined)
        throw new AwsError({
          code: 'EntityAlreadyExists',
          message: `Role with name ${name} already exists.`,
          statusCode: 409,
        });
      const trustPolicy = documentOf(trust);
      return {
        Role: toRole(iam.putRole({ roleName: name, policies: [], trustPolicy, permissionsBoundary })),
      };
    },
    GetRole: ({ RoleName: name = '' }: GetRoleRequest) => ({ Role: toRole(find(name)) }),
    ListRoles: ({ Marker, MaxItems }: ListRolesRequest) => {
      const { items, nextToken } = page(iam.roles(), {
        nextToken: Marker,
        size: pageSize(MaxItems, { default: 100, maximum: 1000 }),
        invalidToken: () => new AwsError({ code: 'ValidationError', message: 'Invalid Marker' }),
      });
      return { Roles: items.map(toRole), IsTruncated: nextToken !== undefined, Marker: nextToken };
    },
    /** "First, detach and delete all of its policies" (DeleteRole). */
    DeleteRole: ({ RoleName: name = '' }: DeleteRoleRequest): Record<string, never> => {
      const { arn, inlinePolicies } = find(name);
      if (inlinePolicies.size > 0)
        throw new AwsError({
          code: 'DeleteConflict',
          message: 'Cannot delete entity, must delete policies first.',
          statusCode: 409,
        });
      iam.removeRole(arn);
      return {};
    },
    PutRolePolicy: ({
      RoleName: name = '',
      PolicyName = '',
      PolicyDocument = '',
    }: PutRolePolicyRequest): Record<string, never> => {
      const role = find(name);
      change(role, new Map(role.inlinePolicies).set(PolicyName, documentOf(PolicyDocument)));
      return {};
    },
    DeleteRolePolicy: ({
      RoleName: name = '',
      PolicyName = '',
    }: DeleteRolePolicyRequest): Record<string, never> => {
      const role = find(name);
      const left = new Map(role.inlinePolicies);
      if (!left.delete(PolicyName))
        throw new AwsError({
          code: 'NoSuchEntity',
          message: `The role policy with name ${PolicyName} cannot be found.`,
          statusCode: 404,
        });
      change(role, left);
      return {};
    },
    ListRolePolicies: ({ RoleName: name = '' }: ListRolePoliciesRequest) => ({
      PolicyNames: [...find(name).inlinePolicies.keys()],
      IsTruncated: false,
    }),
  };
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AwsError({ code: 'MalformedPolicyDocument', message: 'The policy is not valid JSON.' });
  }
}

/** `team/worker` of `arn:aws:iam::123456789012:role/team/worker`. */
const pathAndName = (arn: string): string => arn.slice(arn.indexOf('/') + 1);

const toRole = (role: Role) => ({
  Path: /:role(\/(?:.*\/)?)/.exec(role.arn)?.[1],
  CreateDate: new Date(0),
  RoleName: role.arn.split('/').at(-1),
  RoleId: role.roleId,
  Arn: role.arn,
  // "The policy is URL-encoded compliant with RFC 3986" (IAM API reference, Role).
  AssumeRolePolicyDocument: encodeURIComponent(JSON.stringify(role.trustPolicyDocument)),
  ...(role.permissionsBoundary !== undefined && {
    PermissionsBoundary: {
      PermissionsBoundaryType: 'Policy' as const,
      PermissionsBoundaryArn: role.permissionsBoundary,
    },
  }),
});

/** The refusal for a role that does not exist. */
export const unknownRole = (name: string): AwsError =>
  new AwsError({
    code: 'NoSuchEntity',
    message: `The role with name ${name} cannot be found.`,
    statusCode: 404,
  });
