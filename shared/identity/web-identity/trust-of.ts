import { readCallerArn } from '../arn.ts';
import type { MappedArn } from '../mapping.ts';
import type { MappingReading } from '../read-mapping.ts';
import { fillTemplate } from '../templates.ts';
import { instanceUserPrefix, shortName } from './claims.ts';
import type { NodeRole, WebIdentityTrust } from './trust.ts';

export interface TrustRequest
  extends Pick<
    WebIdentityTrust,
    'issuerUrl' | 'audience' | 'anyMetadataVersion' | 'discoveryUrl' | 'certificateAuthority'
  > {
  readonly nodeRoles: readonly NodeRole[];
  /** Of flags. */
  readonly people: readonly MappedArn[];
  /** Of a file. */
  readonly mapping: MappingReading['mapping'];
  /** The account of the issuer, where it is known; else it is that of the ARNs. */
  readonly accountId?: string | undefined;
}

export type TrustReading =
  | { readonly kind: 'trust'; readonly trust: WebIdentityTrust; readonly leftOut: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * What is asked for, as far as web identity tokens can carry it. What flags say is carried whole or refused; an entry of a file that cannot be carried is left out, and named. Pure.
 */
export function trustOf(request: TrustRequest): TrustReading {
  const { mapping, nodeRoles } = request;
  const named = [...nodeRoles, ...request.people].map(({ arn }) => arn);
  const place = placeOf(named, request);
  if (place === undefined)
    return refused('the ARNs are of several accounts, or of none: an issuer speaks for one account');
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
    return refused('no role of nodes and no person is named: give --node-role, --person or --mapping');
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
      ...strangers.map(
        (account) => `mapAccounts ${account}: the issuer is that of account ${place.accountId}`,
      ),
    ],
  };
}

const refused = (reason: string): TrustReading => ({ kind: 'refused', reason });

type Place = Pick<WebIdentityTrust, 'partition' | 'accountId'>;

/** The flags decide, or the file where it names one account alone. */
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
    return `${arn} is no ARN of an IAM role or user`;
  return accountOf(arn) === accountId
    ? undefined
    : `${arn} is not of account ${accountId}, whose issuer is trusted`;
};

/** One IAM role makes nodes of one role, so that a worker is none of the control plane. */
function problemOfRoles({ nodeRoles }: TrustRequest): string | undefined {
  const other = nodeRoles.find(({ arn, role }) =>
    nodeRoles.some((one) => shortName(one.arn) === shortName(arn) && one.role !== role),
  );
  if (other) return `${other.arn} is given for two roles of nodes`;
  const user = nodeRoles.find(({ arn }) => !arn.includes(':role/'));
  return user && `${user.arn} is no role, and instances have roles alone`;
}

/** The person, or why there is none. */
function readPerson(
  { arn, username, groups }: MappedArn,
  { nodeRoles, ...place }: Place & Pick<TrustRequest, 'nodeRoles'>,
): MappedArn | string {
  const problem = problemOfArn(arn, place);
  if (problem) return problem;
  if (nodeRoles.some((one) => shortName(one.arn) === shortName(arn)))
    return `${arn} is a role of nodes, and no person's`;
  const identity = { accountId: place.accountId, sessionName: '', accessKeyId: '' };
  const filled = [username, ...groups].map((text) => fillTemplate(text, identity, undefined));
  const unfilled = filled.find((one) => one.kind === 'refused');
  if (unfilled) return `${arn}: ${unfilled.reason}: a web identity token names the role, and not its session`;
  const [name = '', ...names] = filled.flatMap((one) => (one.kind === 'text' ? [one.text] : []));
  const reserved = [name, ...names].find((text) => text.startsWith('system:'));
  if (reserved !== undefined)
    return `${arn}: ${reserved} is a name of Kubernetes itself: bind a group of your own to its role`;
  if (name.startsWith(instanceUserPrefix))
    return `${arn}: names that begin with ${instanceUserPrefix} are those of instances`;
  return { arn, username: name, groups: names };
}

/** Of two entries for one ARN the last counts, and a map of CEL takes no key twice. */
const lastOfEach = <Entry extends { readonly arn: string }>(entries: readonly Entry[]): readonly Entry[] => [
  ...new Map(entries.map((entry) => [shortName(entry.arn), entry])).values(),
];
