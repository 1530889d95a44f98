/**
 * What parameters add to the function token-webhook: its place in the VPC, where it reads a ConfigMap of a cluster that is reached only there,
 * and reserved concurrency.
 */
const functionId = 'TokenDashwebhookLambdaFunction';

module.exports = async ({ resolveVariable }) => {
  if ((await resolveVariable('param:tokenWebhook')) === 'off') return {};
  const concurrency = await resolveVariable('param:tokenWebhookConcurrency');
  const reserved = concurrency === 'unreserved' ? {} : { ReservedConcurrentExecutions: Number(concurrency) };
  const isInVpc =
    (await resolveVariable('param:network')) === 'private' &&
    (await resolveVariable('param:identityConfigMap')) !== 'off';
  if (!isInVpc) return { extensions: { [functionId]: { Properties: reserved } } };
  const vpcConfig = {
    SecurityGroupIds: [{ 'Fn::GetAtt': ['ClusterClientSecurityGroup', 'GroupId'] }],
    SubnetIds: [await resolveVariable('param:subnetA'), await resolveVariable('param:subnetB')],
  };
  return {
    extensions: {
      [functionId]: {
        DependsOn: ['TokenWebhookNetworkPolicy'],
        Properties: { ...reserved, VpcConfig: vpcConfig },
      },
    },
    Resources: {
      TokenWebhookNetworkPolicy: {
        Type: 'AWS::IAM::ManagedPolicy',
        Metadata: {
          checkov: {
            skip: [{ id: 'CKV_AWS_111', comment: 'AWSLambdaVPCAccessExecutionRole without its log actions' }],
          },
        },
        Properties: {
          Description: 'What Lambda needs to place a function in a VPC',
          Roles: [{ Ref: 'TokenWebhookRole' }],
          PolicyDocument: await resolveVariable('file(deploy/network/interfaces.yml)'),
        },
      },
    },
  };
};
