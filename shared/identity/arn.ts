/** The partitions of AWS, with the isolated ones. */
const partitions = '(?:aws|aws-cn|aws-us-gov|aws-eusc|aws-iso|aws-iso-b|aws-iso-e|aws-iso-f)';

/** The parts of an ARN that GetCallerIdentity returns. */
export interface CallerArn {
  readonly accountId: string;
  /**
   * The ARN that mappings name. For a session of a role (`assumed-role/NAME/SESSION`), this is the ARN of the role without its path, because STS
   * does not return the path. The ARNs of users, roles, the root user and federated users are unchanged.
   */
  readonly canonicalArn: string;
  /** Only of a session of a role. */
  readonly sessionName?: string;
}

const session = new RegExp(
  `^arn:(${partitions}):sts::(\\d{12}):assumed-role/([\\w+=,.@-]{1,64})/([\\w+=,.@-]{2,64})$`,
);
const other = new RegExp(
  `^arn:${partitions}:(?:iam::(\\d{12}):(?:root|(?:user|role)/[\\x21-\\x7e]{1,576})|sts::(\\d{12}):federated-user/[\\w+=,.@:-]{2,64})$`,
);

/** Reads such an ARN; undefined for any other text, such as the ARN of a service-linked principal. Pure. */
export function readCallerArn(arn: string): CallerArn | undefined {
  const ofSession = session.exec(arn);
  if (ofSession) {
    const [, partition, accountId = '', role, sessionName = ''] = ofSession;
    return { accountId, canonicalArn: `arn:${partition}:iam::${accountId}:role/${role}`, sessionName };
  }
  const ofOther = other.exec(arn);
  return ofOther ? { accountId: ofOther[1] ?? ofOther[2] ?? '', canonicalArn: arn } : undefined;
}

/**
 * An ARN in the form in which ARNs are compared: ASCII letters in lower case, and a role without its path. STS leaves out the path, so an
 * entry with a path would never match (https://github.com/kubernetes-sigs/aws-iam-authenticator/issues/268). The name of a role is unique in
 * its account.
 */
export const comparableArn = (arn: string): string =>
  asciiLowerCase(arn.replace(/^(arn:[^:]*:iam::\d*:role\/)(?:[^/]*\/)+/i, '$1'));

const asciiLowerCase = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
