/**
 * The role of token-webhook. It is a program because the function reads a kubeconfig only where the ConfigMap of the cluster is a source of
 * the mapping.
 */
const arn = (path) => ({ 'Fn::Sub': `arn:\${AWS::Partition}:${path}` });

const parameterArn = (name) => arn(`ssm:\${AWS::Region}:\${AWS::AccountId}:parameter${name}`);

module.exports = async ({ resolveVariable }) => {
  const readsConfigMap = (await resolveVariable('param:identityConfigMap')) !== 'off';
  const parameters = [
    await resolveVariable('self:custom.tokenWebhookSecretParameter'),
    await resolveVariable('self:custom.identityMappingParameter'),
  ].map(parameterArn);
  const kubeconfig = [parameterArn(await resolveVariable('self:custom.readerKubeconfigParameter'))];
  return {
    Resources: {
      TokenWebhookRole: {
        Type: 'AWS::IAM::Role',
        Properties: {
          RoleName: `${await resolveVariable('self:custom.name')}-token-webhook`,
          AssumeRolePolicyDocument: await resolveVariable('file(deploy/roles/trust.yml)'),
          Policies: [
            {
              PolicyName: 'token-webhook',
              PolicyDocument: {
                Version: '2012-10-17',
                Statement: [
                  allow('OwnLogs', ['logs:CreateLogStream', 'logs:PutLogEvents'], {
                    'Fn::GetAtt': ['TokenDashwebhookLogGroup', 'Arn'],
                  }),
                  ...reading('SecretAndMapping', parameters),
                  ...(readsConfigMap ? reading('Kubeconfig', kubeconfig) : []),
                  // EC2 has no resource-level permissions for Describe actions.
                  allow('LookUpInstances', ['ec2:DescribeInstances'], '*'),
                  allow(
                    'LookUpProfiles',
                    ['iam:GetInstanceProfile'],
                    arn('iam::${AWS::AccountId}:instance-profile/*'),
                  ),
                ],
              },
            },
          ],
        },
      },
    },
  };
};

const allow = (Sid, Action, Resource) => ({ Sid, Effect: 'Allow', Action, Resource });

const reading = (what, parameters) => [
  allow(`Read${what}`, ['ssm:GetParameter'], parameters),
  {
    // Any KMS key, but only through Parameter Store and for these parameters.
    ...allow(`Decrypt${what}`, ['kms:Decrypt'], arn('kms:${AWS::Region}:${AWS::AccountId}:key/*')),
    Condition: {
      StringEquals: {
        'kms:ViaService': { 'Fn::Sub': 'ssm.${AWS::Region}.${AWS::URLSuffix}' },
        'kms:EncryptionContext:PARAMETER_ARN': parameters,
      },
    },
  },
];
