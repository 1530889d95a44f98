import type { Role } from '../../groups/group.ts';
import { readCallerArn } from '../arn.ts';
import type { MappedArn } from '../mapping.ts';
import type { MappingReading } from '../read-mapping.ts';
import { fillTemplate } from '../user.ts';
import { instanceUserPrefix, shortName } from './authenticator.ts';

/** The IAM role of worker or control-plane instances. */
export interface NodeRole {
  readonly role: Role;
  readonly arn: string;
}

/** What the API servers of a cluster accept of the web identity tokens of one AWS account. */
export interface WebIdentityTrust {
  /** `https://ID.tokens.sts.global.api.aws`: the issuer of the account. It never changes. */
  readonly issuerUrl: string;
  readonly audience: string;
  readonly partition: string;
  readonly accountId: string;
  readonly nodeRoles: readonly NodeRole[];
  /** Roles and users, each with its own name and groups, without templates. */
  readonly people: readonly MappedArn[];
  /** Whether every other identity of the account is admitted, with its ARN as name and without groups. */
  readonly wholeAccount: boolean;
  /** Whether instances may have their credentials from version 1 of the metadata service, which a forged request can read. */
  readonly anyMetadataVersion: boolean;
  /** Where the discovery document is read instead of the address of the issuer. */
  readonly discoveryUrl?: string | undefined;
  /** In PEM, for an address whose certificate is not from a public authority. */
  readonly certificateAuthority?: string | undefined;
}

/** The default audience of tokens for a cluster: a token for one cluster is not valid for another. */
export const audienceOf = (clusterName: string): string => `drover:${clusterName}`;

export interface TrustRequest
  extends Pick<
    WebIdentityTrust,
    'issuerUrl' | 'audience' | 'anyMetadataVersion' | 'discoveryUrl' | 'certificateAuthority'
  > {
  readonly nodeRoles: readonly NodeRole[];
  /** From flags. */
  readonly people: readonly MappedArn[];
  /** From a file. */
  readonly mapping: MappingReading['mapping'];
  /** The account of the issuer, if it is known. Defaults to the account of the ARNs. */
  readonly accountId?: string | undefined;
}

export type TrustReading =
  | { readonly kind: 'trust'; readonly trust: WebIdentityTrust; readonly leftOut: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The trust that was requested, as far as web identity tokens support it. An unsupported flag is refused. An unsupported entry of a file is left
 * out and reported. Pure.
 */
export function trustOf(request: TrustRequest): TrustReading {
  const { mapping, nodeRoles } = request;
  const named = [...nodeRoles, ...request.people].map(({ arn }) => arn);
  const place = placeOf(named, request);
  if (place === undefined)
    return refused('the ARNs must be from exactly one account, because an issuer is for one account');
  const problem = named.map((arn) => problemOfArn(arn, place)).find(Boolean) ?? problemOfRoles(request);
  if (problem) return refused(problem);
  const fromFlags = request.people.map((person) => readPerson(person, { ...place, nodeRoles }));
  const wrong = fromFlags.find((one) => typeof one === 'string');
  if (typeof wrong === 'string') return refused(wrong);
  const fromFile = [...mapping.users, ...mapping.roles].map((entry) =>
    readPerson(entry, { ...place, nodeRoles }),
  );
  const people = [...fromFile, ...fromFlags].flatMap((one) => (typeof one === 'string' ? [] : [one]));
  const strangers = mapping.accounts.filter((account) => account !== place.accountId);
  const wholeAccount = mapping.accounts.includes(place.accountId);
  if (nodeRoles.length + people.length === 0 && !wholeAccount)
    return refused('no role of nodes and no user is given: give --node-role, --person or --mapping');
  return {
    kind: 'trust',
    trust: {
      ...request,
      ...place,
      nodeRoles: lastOfEach(nodeRoles),
      people: lastOfEach(people),
      wholeAccount,
    },
    leftOut: [
      ...fromFile.flatMap((one) => (typeof one === 'string' ? [one] : [])),
      ...strangers.map((account) => `mapAccounts ${account}: the issuer is for account ${place.accountId}`),
    ],
  };
}

const refused = (reason: string): TrustReading => ({ kind: 'refused', reason });

type Place = Pick<WebIdentityTrust, 'partition' | 'accountId'>;

/** The account of the flags, or of the file if it names only one account. */
function placeOf(named: readonly string[], { mapping, accountId }: TrustRequest): Place | undefined {
  const ofFile = [...mapping.roles, ...mapping.users].map(({ arn }) => arn);
  const arns =
    named.length > 0
      ? named
      : ofFile.filter((arn) => accountId === undefined || accountOf(arn) === accountId);
  const places = [...new Set(arns.map((arn) => `${arn.split(':')[1]}:${accountOf(arn)}`))];
  const [partition, ownAccount] = places.length === 1 ? (places[0] ?? '').split(':') : [];
  if (partition === undefined || ownAccount === undefined)
    return places.length === 0 && accountId !== undefined ? { partition: 'aws', accountId } : undefined;
  return { partition, accountId: accountId ?? ownAccount };
}

const accountOf = (arn: string): string => readCallerArn(arn)?.accountId ?? '';

const problemOfArn = (arn: string, { accountId }: Place): string | undefined => {
  if (!/^arn:[^:]+:iam::\d{12}:(?:role|user)\//.test(arn) || arn.includes('*') || accountOf(arn) === '')
    return `${arn} is not the ARN of an IAM role or user`;
  return accountOf(arn) === accountId
    ? undefined
    : `${arn} is not from account ${accountId}, whose issuer is trusted`;
};

/** One IAM role is for nodes of one role, so that a worker cannot join as a control-plane node. */
function problemOfRoles({ nodeRoles }: TrustRequest): string | undefined {
  const other = nodeRoles.find(({ arn, role }) =>
    nodeRoles.some((one) => shortName(one.arn) === shortName(arn) && one.role !== role),
  );
  if (other) return `${other.arn} is given for two roles of nodes`;
  const user = nodeRoles.find(({ arn }) => !arn.includes(':role/'));
  return user && `${user.arn} is not a role, and instances have only roles`;
}

/** The entry of a user, or why there is none. */
function readPerson(
  { arn, username, groups }: MappedArn,
  { nodeRoles, ...place }: Place & Pick<TrustRequest, 'nodeRoles'>,
): MappedArn | string {
  const problem = problemOfArn(arn, place);
  if (problem) return problem;
  if (nodeRoles.some((one) => shortName(one.arn) === shortName(arn))) return `${arn} is a role of nodes`;
  const identity = { accountId: place.accountId, sessionName: '', accessKeyId: '' };
  const filled = [username, ...groups].map((text) => fillTemplate(text, identity, undefined));
  const unfilled = filled.find((one) => one.kind === 'refused');
  if (unfilled) return `${arn}: ${unfilled.reason}: a web identity token names the role, not its session`;
  const [name = '', ...names] = filled.flatMap((one) => (one.kind === 'text' ? [one.text] : []));
  const reserved = [name, ...names].find((text) => text.startsWith('system:'));
  if (reserved !== undefined)
    return `${arn}: ${reserved} is reserved for Kubernetes: bind a group of your own to its role`;
  if (name.startsWith(instanceUserPrefix))
    return `${arn}: names that begin with ${instanceUserPrefix} are reserved for instances`;
  return { arn, username: name, groups: names };
}

/** The last entry for an ARN counts. A map of CEL must not have a key twice. */
const lastOfEach = <Entry extends { readonly arn: string }>(entries: readonly Entry[]): readonly Entry[] => [
  ...new Map(entries.map((entry) => [shortName(entry.arn), entry])).values(),
];
