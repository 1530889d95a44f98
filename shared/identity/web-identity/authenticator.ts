import { instanceIdExtra } from '../../certificates/certificate-request.ts';
import type { Role } from '../../groups/group.ts';
import type { WebIdentityTrust } from './trust.ts';

/** A string literal of CEL (language definition, "String and Bytes Values"): the escapes of JSON, and one for single quotes. */
export const celText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

export const celList = (texts: readonly string[]): string => `[${texts.map(celText).join(', ')}]`;

/** A map literal of CEL, whose values are expressions. */
export const celMap = (entries: readonly (readonly [key: string, value: string])[]): string =>
  `{${entries.map(([key, value]) => `${celText(key)}: ${value}`).join(', ')}}`;

/** The claim that contains the claims of STS (IAM user guide, "Understanding token claims"). */
const namespace = 'https://sts.amazonaws.com/';

/** An expression for a claim of STS; an empty string if the token does not have it. */
export const stsClaim = (name: string): string => `claims[?${celText(namespace)}].?${name}.orValue('')`;

/** The ARN of the instance whose credentials requested the token. */
export const sourceInstance: string = stsClaim('ec2_source_instance_arn');

/** `2.0` as tokens have it, `2` in AWS's table of claims. */
export const roleDelivery: string = stsClaim('ec2_role_delivery');

/** The id at the end of that ARN. A claim rule checks the whole ARN before the user is authenticated. */
export const instanceIdPart: string = `${sourceInstance}.find('i-[0-9a-f]+$')`;

/** A regular expression (RE2) for the ARN of an instance of the account. */
export const instancePattern = ({
  partition,
  accountId,
}: Pick<WebIdentityTrust, 'partition' | 'accountId'>): string =>
  `^arn:${partition}:ec2:[a-z0-9-]+:${accountId}:instance/i-([0-9a-f]{8}|[0-9a-f]{17})$`;

export const instanceUserPrefix = 'drover:instance:';

export const bootstrapGroupOf = (role: Role): string => `system:bootstrappers:drover:${role}`;

export const isNodeRole = ({ nodeRoles }: Pick<WebIdentityTrust, 'nodeRoles'>): string =>
  `claims.sub in ${celList(nodeRoles.flatMap(({ arn }) => namesOf(arn)))}`;

/**
 * The values that `sub` may have for the ARN of a role: with its path, and without it, as in other answers of STS. The name of a role is unique in
 * its account, so both are this role. Values are compared as a whole, because another role may have a name with the same beginning.
 */
export const namesOf = (arn: string): readonly string[] => [...new Set([arn, shortName(arn)])];

/** The ARN of a role without its path. The ARN of a user is unchanged. */
export const shortName = (arn: string): string =>
  arn.replace(/^(arn:[^:]*:iam::\d*:role\/)(?:[^/]*\/)+/, '$1');

/** Shown in the audit log and by `kubectl auth whoami`. */
export const principalExtra = 'drover.dev/principal-arn';
const sourceIdentityExtra = 'drover.dev/source-identity';
const identityStoreExtra = 'drover.dev/identity-store-user-id';

/**
 * An entry of `jwt` in the API server's AuthenticationConfiguration (Kubernetes reference, "kube-apiserver Configuration (v1)"), for the tokens of STS GetWebIdentityToken
 * (IAM user guide, "Understanding token claims").
 *
 * The API server evaluates the mappings before the rules, and refuses the token if an expression fails. So each expression also works for tokens
 * without claims of EC2, and none uses `'name' in claims`: the API server's `claims` has no such operator, so it would refuse every token. Pure.
 */
export function webIdentityAuthenticator(trust: WebIdentityTrust) {
  const { issuerUrl, discoveryUrl, certificateAuthority, audience } = trust;
  return {
    issuer: {
      url: issuerUrl,
      ...(discoveryUrl !== undefined && { discoveryURL: discoveryUrl }),
      ...(certificateAuthority !== undefined && { certificateAuthority }),
      audiences: [audience],
    },
    claimValidationRules: claimRules(trust),
    claimMappings: {
      username: { expression: usernameOf(trust) },
      groups: { expression: groupsOf(trust) },
      extra: extraOf(trust),
    },
    userValidationRules: userRules(trust),
  };
}

function claimRules(trust: WebIdentityTrust) {
  const { accountId, nodeRoles, people, anyMetadataVersion, wholeAccount } = trust;
  const known = [...nodeRoles, ...people].flatMap(({ arn }) => namesOf(arn));
  const ofNodes = (expression: string): string => `!(${isNodeRole(trust)}) || ${expression}`;
  return [
    {
      expression: `${stsClaim('aws_account')} == ${celText(accountId)}`,
      message: 'the token is from another AWS account',
    },
    ...(wholeAccount
      ? []
      : [
          {
            expression: `claims.sub in ${celList(known)}`,
            message: 'no entry names the IAM role or user of the token',
          },
        ]),
    ...(nodeRoles.length === 0
      ? []
      : [
          {
            expression: ofNodes(`${sourceInstance}.matches(${celText(instancePattern(trust))})`),
            message: 'the role of nodes is used by something other than an instance of the account',
          },
        ]),
    ...(nodeRoles.length === 0 || anyMetadataVersion
      ? []
      : [
          {
            expression: ofNodes(`string(${roleDelivery}) in ['2.0', '2']`),
            message: 'the instance has its credentials from version 1 of the metadata service',
          },
        ]),
  ];
}

const usernameOf = (trust: WebIdentityTrust): string => {
  const { people, wholeAccount } = trust;
  const names = celMap(
    people.flatMap(({ arn, username }) => namesOf(arn).map((name) => [name, celText(username)])),
  );
  const person = `${names}[?claims.sub].orValue(${wholeAccount ? 'claims.sub' : "''"})`;
  return ifNode(trust, `${celText(instanceUserPrefix)} + ${instanceIdPart}`, person);
};

const groupsOf = ({ nodeRoles, people }: WebIdentityTrust): string => {
  const ofNodes = nodeRoles.map(({ arn, role }) => ({ arn, groups: [bootstrapGroupOf(role)] }));
  const groups = [...ofNodes, ...people].flatMap(({ arn, groups: names }) =>
    namesOf(arn).map((name) => [name, celList(names)] as const),
  );
  return `${celMap(groups)}[?claims.sub].orValue([])`;
};

/** The API server leaves out empty values. */
const extraOf = (trust: WebIdentityTrust) => [
  { key: principalExtra, valueExpression: 'claims.sub' },
  ...(trust.nodeRoles.length === 0
    ? []
    : [{ key: instanceIdExtra, valueExpression: ifNode(trust, instanceIdPart, "''") }]),
  { key: sourceIdentityExtra, valueExpression: stsClaim('source_identity') },
  { key: identityStoreExtra, valueExpression: stsClaim('identity_store_user_id') },
];

const ifNode = (trust: WebIdentityTrust, then: string, otherwise: string): string =>
  trust.nodeRoles.length === 0 ? otherwise : `${isNodeRole(trust)} ? ${then} : ${otherwise}`;

/** Kubernetes does not forbid its own names here, such as `system:masters`. These rules do, whatever the mappings contain. */
function userRules({ nodeRoles }: WebIdentityTrust) {
  const own = celList([...new Set(nodeRoles.map(({ role }) => bootstrapGroupOf(role)))]);
  const isInstance = `user.username.startsWith(${celText(instanceUserPrefix)})`;
  return [
    {
      expression: "!user.username.startsWith('system:')",
      message: 'names that begin with system: are reserved for Kubernetes',
    },
    {
      expression: `user.groups.all(group, !group.startsWith('system:') || (${isInstance} && group in ${own}))`,
      message:
        'groups that begin with system: are reserved for Kubernetes; an instance has only the group of its role',
    },
  ];
}
