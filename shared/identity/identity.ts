/** The IAM identity that made a token, from the answer of STS. */
export interface Identity {
  /** As STS wrote it. */
  readonly arn: string;
  /** The ARN that mappings name: that of the role, for a session of one. */
  readonly canonicalArn: string;
  readonly accountId: string;
  /** The unique id of the user or role: it changes when one of the same name is made again. */
  readonly principalId: string;
  /** Of a session of a role; empty for all else. */
  readonly sessionName: string;
  readonly accessKeyId: string;
}
