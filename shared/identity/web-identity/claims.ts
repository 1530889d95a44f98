import type { Role } from '../../groups/group.ts';
import { celList, celText } from './cel.ts';
import type { WebIdentityTrust } from './trust.ts';

/** STS has its own claims below this one (IAM user guide, "Understanding token claims"). */
const namespace = 'https://sts.amazonaws.com/';

/** An expression for one of them; an empty text where the token has it not. */
export const stsClaim = (name: string): string => `claims[?${celText(namespace)}].?${name}.orValue('')`;

/** The ARN of the instance whose credentials asked for the token. */
export const sourceInstance: string = stsClaim('ec2_source_instance_arn');

/** `2.0` as tokens have it, `2` in AWS's table of claims. */
export const roleDelivery: string = stsClaim('ec2_role_delivery');

/** The id at its end. A claim rule has checked the whole ARN before a user is made of it. */
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
 * The texts that `sub` may have for the ARN of a role: with its path, and without it, as other answers of STS have it. A role's name is unique in its account, so both are this
 * role. They are compared whole: a name that begins like this one is another's.
 */
export const namesOf = (arn: string): readonly string[] => [...new Set([arn, shortName(arn)])];

/** The ARN of a role without its path; that of a user as it is. */
export const shortName = (arn: string): string =>
  arn.replace(/^(arn:[^:]*:iam::\d*:role\/)(?:[^/]*\/)+/, '$1');
