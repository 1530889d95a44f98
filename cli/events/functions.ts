/** The functions of a deployment, as their log groups name them. Some are in a deployment only if they are turned on. */
export const functionNames = [
  'bootstrap-credential',
  'certificate-requests',
  'etcd-membership',
  'etcd-snapshot',
  'heartbeats',
  'intake',
  'node-joining',
  'node-leaving',
  'prewarm',
  'roll',
  'scale-api',
  'sweep',
  'token-webhook',
] as const;
export type FunctionName = (typeof functionNames)[number];

export const logGroupOf = (stage: string, functionName: FunctionName): string =>
  `/aws/lambda/drover-${stage}-${functionName}`;
