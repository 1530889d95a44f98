import type { Clock } from '../../simulation/clock.ts';
import type { Random } from '../../simulation/random.ts';
import type { Principal } from '../service.ts';
import type { FindIdentity, Identity } from '../signature/authenticate.ts';
import { createTokenIssuer, type TokenIssuer } from '../sts/token-issuer.ts';
import { type PolicyDocument, readPolicy } from './policy.ts';

/** Permanent credentials have no token and no end. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
  readonly expiresAtMilliseconds: number | undefined;
}

export interface Role {
  readonly arn: string;
  readonly roleId: string;
  readonly policies: readonly PolicyDocument[];
  /** The same by their names, as they were given. */
  readonly inlinePolicies: ReadonlyMap<string, unknown>;
  /** The ARN of a policy. It is shown, and limits nothing. */
  readonly permissionsBoundary: string | undefined;
  readonly trustPolicy: PolicyDocument;
  /** As it was given. */
  readonly trustPolicyDocument: unknown;
}

interface RoleSession {
  readonly roleArn: string;
  readonly sessionName: string;
  readonly durationSeconds: number;
  /** The instance whose metadata service gives them out. */
  readonly instance?: DeliveredTo;
}

/** An instance that has credentials of its role, and how it came by them: `2.0` by the second version of the metadata service. */
interface DeliveredTo {
  readonly arn: string;
  readonly vpcId?: string | undefined;
  readonly privateIpv4?: string | undefined;
  readonly roleDelivery?: '1.0' | '2.0';
}

/** What STS knows of a session of a role. */
interface KnownSession {
  readonly expiresAtMilliseconds: number;
  /** Of where its credentials were given out (IAM user guide, "Understanding token claims"). */
  readonly claims: Readonly<Record<string, string>>;
}

/** The users, roles and credentials of the simulated account. The sandbox reads roles from the template. */
export interface SimulatedIam {
  /**
   * Documents as in the template, intrinsics resolved; policies by their names, or as a list, which gets names. Replaces a role of that name.
   *
   * @throws AwsError MalformedPolicyDocument
   */
  putRole(role: {
    /** With its path, if it has one: `team/worker`. */
    readonly roleName: string;
    readonly policies: readonly unknown[] | ReadonlyMap<string, unknown>;
    readonly trustPolicy: unknown;
    readonly permissionsBoundary?: string | undefined;
  }): Role;
  putUser(
    user: { readonly userName: string; readonly policies: readonly unknown[] } & Partial<Credentials>,
  ): Credentials;
  role(roleArn: string): Role | undefined;
  roles(): readonly Role[];
  /** Its sessions have no right any more. */
  removeRole(roleArn: string): void;
  /** Names of roles are unique in an account, whatever their paths are. */
  roleNamed(roleName: string): Role | undefined;
  /** Credentials of a session. The caller has checked the right to them. Throws RangeError for an unknown role. */
  issueCredentials(session: RoleSession): Credentials;
  readonly findIdentity: FindIdentity;
  /** As GetCallerIdentity says it: `AIDA...`, or `AROA...:session`. */
  userIdOf(principal: Principal): string;
  policiesOf(principal: Principal): readonly PolicyDocument[];
  roleArnOf(principal: Principal): string | undefined;
  /** Undefined for a user. */
  sessionOf(principal: Principal): KnownSession | undefined;
  /** Of the account's web identity tokens. */
  readonly tokenIssuer: TokenIssuer;
}

interface KnownIdentity extends Identity {
  readonly userId: string;
  readonly roleArn: string | undefined;
  readonly policies: readonly PolicyDocument[];
  readonly session?: KnownSession;
}

/** A policy that allows everything: what the sandbox gives to the person at its wire. */
export const administratorAccess = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }],
} as const;

const readIdentityPolicy = (document: unknown): PolicyDocument => readPolicy(document, 'identity');

/** An inline policy always has a name in IAM. */
const named = (policies: readonly unknown[] | ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> =>
  policies instanceof Map
    ? policies
    : new Map([...policies].map((document, index) => [`policy-${index + 1}`, document]));

export function createIam(options: {
  readonly clock: Clock;
  readonly random: Random;
  readonly accountId: string;
}): SimulatedIam {
  const { clock, random, accountId } = options;
  const roles = new Map<string, Role>();
  const identities = new Map<string, KnownIdentity>();
  const uniqueId = (prefix: string): string => `${prefix}${random.hex(16).toUpperCase()}`;
  const keyId = (prefix: string): string => `${prefix}${random.secretHex(16).toUpperCase()}`;
  const known = (principal: Principal): KnownIdentity | undefined => identities.get(principal.accessKeyId);

  return {
    putRole: ({ roleName, policies, trustPolicy, permissionsBoundary }) => {
      const inlinePolicies = named(policies);
      const arn = `arn:aws:iam::${accountId}:role/${roleName}`;
      const roleId = roles.get(arn)?.roleId ?? uniqueId('AROA');
      const role = {
        arn,
        roleId,
        policies: [...inlinePolicies.values()].map(readIdentityPolicy),
        inlinePolicies,
        permissionsBoundary,
        trustPolicy: readPolicy(trustPolicy, 'trust'),
        trustPolicyDocument: trustPolicy,
      };
      roles.set(arn, role);
      return role;
    },
    putUser: ({
      userName,
      policies,
      accessKeyId = keyId('AKIA'),
      secretAccessKey = random.secretHex(40),
    }) => {
      const arn = `arn:aws:iam::${accountId}:user/${userName}`;
      identities.set(accessKeyId, {
        secretAccessKey,
        principal: { accountId, arn, accessKeyId },
        userId: uniqueId('AIDA'),
        roleArn: undefined,
        policies: policies.map(readIdentityPolicy),
      });
      return { accessKeyId, secretAccessKey, sessionToken: undefined, expiresAtMilliseconds: undefined };
    },
    role: (arn) => roles.get(arn),
    roles: () => [...roles.values()],
    removeRole: (arn) => void roles.delete(arn),
    roleNamed: (name) => [...roles.values()].find(({ arn }) => arn.split('/').at(-1) === name),
    issueCredentials: ({ roleArn, sessionName, durationSeconds, instance }) => {
      const role = roles.get(roleArn);
      if (role === undefined) throw new RangeError(`there is no role ${roleArn}`);
      const arn = `arn:aws:sts::${accountId}:assumed-role/${roleArn.split('/').at(-1)}/${sessionName}`;
      const credentials = {
        accessKeyId: keyId('ASIA'),
        secretAccessKey: random.secretHex(40),
        sessionToken: random.secretHex(64),
        expiresAtMilliseconds: clock.now() + durationSeconds * 1000,
      };
      const principal = { accountId, arn, accessKeyId: credentials.accessKeyId };
      const userId = `${role.roleId}:${sessionName}`;
      const session = {
        expiresAtMilliseconds: credentials.expiresAtMilliseconds,
        claims: instance === undefined ? {} : claimsOf(instance),
      };
      const identity = { ...credentials, principal, userId, roleArn, policies: [], session };
      identities.set(credentials.accessKeyId, identity);
      return credentials;
    },
    findIdentity: (accessKeyId) => identities.get(accessKeyId),
    userIdOf: (principal) => known(principal)?.userId ?? principal.accessKeyId,
    policiesOf: (principal) => {
      const identity = known(principal);
      return identity?.roleArn === undefined
        ? (identity?.policies ?? [])
        : (roles.get(identity.roleArn)?.policies ?? []);
    },
    roleArnOf: (principal) => known(principal)?.roleArn,
    sessionOf: (principal) => known(principal)?.session,
    tokenIssuer: createTokenIssuer(random),
  };
}

const claimsOf = ({ arn, vpcId, privateIpv4, roleDelivery = '2.0' }: DeliveredTo) => ({
  ec2_source_instance_arn: arn,
  ...(vpcId !== undefined && { ec2_instance_source_vpc: vpcId }),
  ...(privateIpv4 !== undefined && { ec2_instance_source_private_ipv4: privateIpv4 }),
  ec2_role_delivery: roleDelivery,
});
