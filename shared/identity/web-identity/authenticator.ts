import { instanceIdExtra } from '../../certificates/requester.ts';
import { celList, celMap, celText } from './cel.ts';
import {
  bootstrapGroupOf,
  instanceIdPart,
  instancePattern,
  instanceUserPrefix,
  isNodeRole,
  namesOf,
  roleDelivery,
  sourceInstance,
  stsClaim,
} from './claims.ts';
import type { WebIdentityTrust } from './trust.ts';

/** Of the audit log and of `kubectl auth whoami`. */
export const principalExtra = 'drover.dev/principal-arn';
const sourceIdentityExtra = 'drover.dev/source-identity';
const identityStoreExtra = 'drover.dev/identity-store-user-id';

/**
 * An entry of `jwt` in the API server's AuthenticationConfiguration (Kubernetes reference, "kube-apiserver Configuration (v1)"), for the tokens of STS GetWebIdentityToken
 * (IAM user guide, "Understanding token claims").
 *
 * The API server evaluates the mappings before the rules, and an expression that fails refuses the token. So each is written for tokens that have no claim of EC2 too, and
 * none asks `'name' in claims`: the API server's `claims` has no such operator, and that refuses every token. Pure.
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
      message: 'the token is of another AWS account',
    },
    ...(wholeAccount
      ? []
      : [
          {
            expression: `claims.sub in ${celList(known)}`,
            message: 'nothing names the IAM role or user of the token',
          },
        ]),
    ...(nodeRoles.length === 0
      ? []
      : [
          {
            expression: ofNodes(`${sourceInstance}.matches(${celText(instancePattern(trust))})`),
            message: 'the role of nodes is used, and not by an instance of the account',
          },
        ]),
    ...(nodeRoles.length === 0 || anyMetadataVersion
      ? []
      : [
          {
            expression: ofNodes(`string(${roleDelivery}) in ['2.0', '2']`),
            message: 'the instance has its credentials from the first version of the metadata service',
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

/** An empty text is left out by the API server. */
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

/** Kubernetes does not forbid names of its own here (`system:masters` is one): these rules do, whatever the mappings say. */
function userRules({ nodeRoles }: WebIdentityTrust) {
  const own = celList([...new Set(nodeRoles.map(({ role }) => bootstrapGroupOf(role)))]);
  const isInstance = `user.username.startsWith(${celText(instanceUserPrefix)})`;
  return [
    {
      expression: "!user.username.startsWith('system:')",
      message: 'names that begin with system: are those of Kubernetes',
    },
    {
      expression: `user.groups.all(group, !group.startsWith('system:') || (${isInstance} && group in ${own}))`,
      message:
        'groups that begin with system: are those of Kubernetes; an instance has that of its role alone',
    },
  ];
}
