/**
 * The role of node-joining. It is a program because the function reads one kubeconfig or two: that of passes, and, where Drover decides
 * certificate requests, that of the identity which may approve them.
 */
const arn = (path) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:${path}`,
});

const parameterArn = (name) => arn(`ssm:\${AWS::Region}:\${AWS::AccountId}:parameter${name}`);

const ofQueue = (logicalId) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });

module.exports = async ({ resolveVariable }) => {
  const certificates = await resolveVariable('param:certificates');
  const kubeconfigs = [
    ...new Set([
      await resolveVariable('self:custom.kubeconfigParameter'),
      ...(certificates === 'on'
        ? [await resolveVariable('self:custom.certificatesKubeconfigParameter')]
        : []),
    ]),
  ].map(parameterArn);
  const statements = [
    await resolveVariable('file(deploy/roles/notify.yml)'),
    allow('OwnLogs', ['logs:CreateLogStream', 'logs:PutLogEvents'], {
      'Fn::GetAtt': ['NodeDashjoiningLogGroup', 'Arn'],
    }),
    allow(
      'OwnQueue',
      [
        'sqs:ReceiveMessage',
        'sqs:DeleteMessage',
        'sqs:GetQueueAttributes',
        'sqs:ChangeMessageVisibility',
        'sqs:SendMessage',
      ],
      ofQueue('JoiningQueue'),
    ),
    allow('ParkWhatIsNotUnderstood', ['sqs:SendMessage'], ofQueue('JoiningDeadLetterQueue')),
    allow('ReadKubeconfigs', ['ssm:GetParameter'], kubeconfigs),
    {
      // Any KMS key, but only through Parameter Store and for these parameters.
      ...allow('DecryptKubeconfigs', ['kms:Decrypt'], arn('kms:${AWS::Region}:${AWS::AccountId}:key/*')),
      Condition: {
        StringEquals: {
          'kms:ViaService': { 'Fn::Sub': 'ssm.${AWS::Region}.${AWS::URLSuffix}' },
          'kms:EncryptionContext:PARAMETER_ARN': kubeconfigs,
        },
      },
    },
    // Auto Scaling and EC2 have no resource-level permissions for Describe actions.
    allow(
      'LookUp',
      [
        'autoscaling:DescribeAutoScalingGroups',
        'autoscaling:DescribeAutoScalingInstances',
        'autoscaling:DescribeLifecycleHooks',
        'autoscaling:DescribeScalingActivities',
        'ec2:DescribeInstances',
      ],
      '*',
    ),
    {
      ...allow(
        'ReadConsoles',
        ['ec2:GetConsoleOutput'],
        arn('ec2:${AWS::Region}:${AWS::AccountId}:instance/*'),
      ),
      // Instances of Auto Scaling groups alone.
      Condition: {
        StringLike: {
          'aws:ResourceTag/aws:autoscaling:groupName': await resolveVariable('param:groupNamePattern'),
        },
      },
    },
    {
      ...allow(
        'ManagedGroupsOfThisCluster',
        ['autoscaling:RecordLifecycleActionHeartbeat', 'autoscaling:CompleteLifecycleAction'],
        arn('autoscaling:${AWS::Region}:${AWS::AccountId}:autoScalingGroup:*:autoScalingGroupName/*'),
      ),
      Condition: await resolveVariable('file(deploy/roles/managed-groups.cjs)'),
    },
  ];
  return {
    Resources: {
      NodeJoiningRole: {
        Type: 'AWS::IAM::Role',
        Properties: {
          RoleName: `${await resolveVariable('self:custom.name')}-node-joining`,
          AssumeRolePolicyDocument: await resolveVariable('file(deploy/roles/trust.yml)'),
          Policies: [
            {
              PolicyName: 'node-joining',
              PolicyDocument: { Version: '2012-10-17', Statement: statements },
            },
          ],
        },
      },
    },
  };
};

const allow = (Sid, Action, Resource) => ({ Sid, Effect: 'Allow', Action, Resource });
