import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import type { Cloud } from '@drover/cloud-sandbox';

/**
 * What the user data of an instance does first: it reads the published bootstrap kubeconfig from Parameter Store over the wire, with the
 * role of its instance profile, which may do nothing else.
 */
export function createUserData({
  cloud: { account, lambda },
  endpoint,
}: {
  readonly cloud: Cloud;
  readonly endpoint: string;
}): () => Promise<string | undefined> {
  const { iam, region, accountId } = account;
  const { DROVER_BOOTSTRAP_PARAMETER: name = '' } = lambda.functionOf('bootstrap-credential').environment;
  const { arn } = iam.putRole({
    roleName: 'worker',
    policies: [allow('ssm:GetParameter', `arn:aws:ssm:${region}:${accountId}:parameter${name}`)],
    trustPolicy: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'ec2.amazonaws.com' } }],
    },
  });
  const { accessKeyId, secretAccessKey, sessionToken } = iam.issueCredentials({
    roleArn: arn,
    sessionName: 'instance',
    durationSeconds: 6 * 3600,
  });
  const client = new SSMClient({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
  });
  return async () => {
    try {
      const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
      return Parameter?.Value;
    } catch (error) {
      if (error instanceof ParameterNotFound) return undefined;
      throw error;
    }
  };
}

const allow = (Action: string, Resource: string) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action, Resource }],
});
