/** What API Gateway sends for a request to an HTTP API (payload format 2.0). */
export const httpEvent = (
  method: string,
  target: string,
  options: {
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly stage?: string;
    readonly isBase64Encoded?: boolean;
    /** null if IAM authorised no caller. */
    readonly callerArn?: string | null;
  } = {},
) => {
  const [path = '', query = ''] = target.split('?');
  const { callerArn: userArn = 'arn:aws:iam::123456789012:user/operator' } = options;
  const stage = options.stage ?? '$default';
  return {
    version: '2.0',
    routeKey: 'ANY /{proxy+}',
    rawPath: path,
    rawQueryString: query,
    headers: { host: 'api.example', 'content-type': 'application/json', ...options.headers },
    requestContext: {
      accountId: '123456789012',
      apiId: 'api',
      ...(userArn !== null && { authorizer: { iam: { userArn } } }),
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: 'request-1',
      stage,
    },
    ...(options.body !== undefined && { body: options.body }),
    isBase64Encoded: options.isBase64Encoded ?? false,
  };
};
