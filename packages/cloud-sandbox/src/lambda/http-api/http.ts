/** A request as the HTTP API receives it. */
export interface HttpApiRequest {
  readonly method: string;
  /** Without the query, as it was written. */
  readonly path: string;
  /** Without its question mark, as it was written. */
  readonly rawQueryString: string;
  /** Names in lower case; several values of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly sourceIp: string;
}

export interface HttpApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Uint8Array;
}

/** The signer of the request, as the IAM authorizer found it. */
export interface IamCaller {
  readonly accountId: string;
  readonly arn: string;
  readonly accessKeyId: string;
}
