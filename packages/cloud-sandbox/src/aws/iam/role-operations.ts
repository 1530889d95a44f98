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

/** What a caller has made of a role. Roles of the template have no policies by name here. */
interface MadeRole {
  readonly boundary: string | undefined;
  /** Inline policies by name. */
  readonly policies: Map<string, unknown>;
}

/**
 * Roles and their inline policies: https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html
 * Left out: paths, managed policies, tags. A permissions boundary is kept and shown, and limits nothing.
 */
export function roleOperations(iam: SimulatedIam) {
  const made = new Map<string, MadeRole>();
  const find = (name: string): Role => {
    const role = iam.roleNamed(name);
    if (role === undefined) throw unknownRole(name);
    return role;
  };
  const madeOf = (name: string): MadeRole => {
    const role = made.get(find(name).arn);
    return role ?? { boundary: undefined, policies: new Map() };
  };
  const put = (roleName: string, { boundary, policies }: MadeRole, trustPolicy: unknown): Role => {
    const role = iam.putRole({ roleName, policies: [...policies.values()], trustPolicy });
    made.set(role.arn, { boundary, policies });
    return role;
  };
  const shown = (role: Role) => toRole(role, made.get(role.arn)?.boundary);
  return {
    CreateRole: ({
      RoleName: name = '',
      AssumeRolePolicyDocument: trust = '',
      PermissionsBoundary: boundary,
    }: CreateRoleRequest) => {
      if (iam.roleNamed(name) !== undefined)
        throw new AwsError({
          code: 'EntityAlreadyExists',
          message: `Role with name ${name} already exists.`,
          statusCode: 409,
        });
      return { Role: shown(put(name, { boundary, policies: new Map() }, documentOf(trust))) };
    },
    GetRole: ({ RoleName: name = '' }: GetRoleRequest) => ({ Role: shown(find(name)) }),
    ListRoles: ({ Marker, MaxItems }: ListRolesRequest) => {
      const { items, nextToken } = page(iam.roles(), {
        nextToken: Marker,
        size: pageSize(MaxItems, { default: 100, maximum: 1000 }),
        invalidToken: () => new AwsError({ code: 'ValidationError', message: 'Invalid Marker' }),
      });
      return { Roles: items.map(shown), IsTruncated: nextToken !== undefined, Marker: nextToken };
    },
    /** "First, detach and delete all of its policies" (DeleteRole). */
    DeleteRole: ({ RoleName: name = '' }: DeleteRoleRequest): Record<string, never> => {
      const { arn } = find(name);
      if (madeOf(name).policies.size > 0)
        throw new AwsError({
          code: 'DeleteConflict',
          message: 'Cannot delete entity, must delete policies first.',
          statusCode: 409,
        });
      iam.removeRole(arn);
      made.delete(arn);
      return {};
    },
    PutRolePolicy: ({
      RoleName: name = '',
      PolicyName = '',
      PolicyDocument = '',
    }: PutRolePolicyRequest): Record<string, never> => {
      const { boundary, policies } = madeOf(name);
      const changed = new Map(policies).set(PolicyName, documentOf(PolicyDocument));
      put(name, { boundary, policies: changed }, find(name).trustPolicyDocument);
      return {};
    },
    DeleteRolePolicy: ({
      RoleName: name = '',
      PolicyName = '',
    }: DeleteRolePolicyRequest): Record<string, never> => {
      const { boundary, policies } = madeOf(name);
      const left = new Map(policies);
      if (!left.delete(PolicyName))
        throw new AwsError({
          code: 'NoSuchEntity',
          message: `The role policy with name ${PolicyName} cannot be found.`,
          statusCode: 404,
        });
      put(name, { boundary, policies: left }, find(name).trustPolicyDocument);
      return {};
    },
    ListRolePolicies: ({ RoleName: name = '' }: ListRolePoliciesRequest) => ({
      PolicyNames: [...madeOf(name).policies.keys()],
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

const toRole = (role: Role, boundary: string | undefined) => ({
  Path: /:role(\/(?:.*\/)?)/.exec(role.arn)?.[1],
  CreateDate: new Date(0),
  RoleName: role.arn.split('/').at(-1),
  RoleId: role.roleId,
  Arn: role.arn,
  // "The policy is URL-encoded compliant with RFC 3986" (IAM API reference, Role).
  AssumeRolePolicyDocument: encodeURIComponent(JSON.stringify(role.trustPolicyDocument)),
  ...(boundary !== undefined && {
    PermissionsBoundary: { PermissionsBoundaryType: 'Policy' as const, PermissionsBoundaryArn: boundary },
  }),
});

/** The refusal for a role that does not exist. */
export const unknownRole = (name: string): AwsError =>
  new AwsError({
    code: 'NoSuchEntity',
    message: `The role with name ${name} cannot be found.`,
    statusCode: 404,
  });
