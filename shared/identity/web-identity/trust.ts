import type { Role } from '../../groups/group.ts';
import type { MappedArn } from '../mapping.ts';

/** The IAM role of the instances of a role. */
export interface NodeRole {
  readonly role: Role;
  readonly arn: string;
}

/** What the API servers of a cluster are to believe of the web identity tokens of one AWS account. */
export interface WebIdentityTrust {
  /** `https://ID.tokens.sts.global.api.aws`: the issuer of the account, which IAM gives it once. */
  readonly issuerUrl: string;
  readonly audience: string;
  readonly partition: string;
  readonly accountId: string;
  readonly nodeRoles: readonly NodeRole[];
  /** Roles and users, each with its own name and groups; without templates. */
  readonly people: readonly MappedArn[];
  /** Whether everybody else of the account gets in by the ARN, without groups. */
  readonly wholeAccount: boolean;
  /** Whether instances may have their credentials from the first version of the metadata service, which a forged request can read. */
  readonly anyMetadataVersion: boolean;
  /** Where the discovery document is read in place of the issuer's own address. */
  readonly discoveryUrl?: string | undefined;
  /** PEM, for an address that no public authority vouches for. */
  readonly certificateAuthority?: string | undefined;
}
