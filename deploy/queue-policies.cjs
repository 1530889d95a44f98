/**
 * The policies of the queues. It is a program because osls cannot leave out a statement or an item of a list whose parameter is empty.
 *
 * What can send a message to one of these queues can make Drover act, so each queue names its senders, and denies everything else,
 * whatever an identity policy of the account allows. Services of AWS are let in by the statements that allow them, for one source each.
 */
const eventRules = [
  'LifecycleActionRule',
  'ScalingActivityRule',
  'SpotInterruptionRule',
  'RebalanceRule',
  'StateChangeRule',
  'CapacityReservationRule',
  'HealthRule',
];

/** The roles that send to each queue. `operatorRole` may send to each of them, to redrive messages. */
const senders = {
  InboxQueue: ['HookNotificationRole'],
  InboxDeadLetterQueue: ['IntakeRole'],
  LeavingQueue: ['IntakeRole', 'NodeLeavingRole', 'PrewarmRole', 'SweepRole'],
  LeavingDeadLetterQueue: ['NodeLeavingRole'],
  JoiningQueue: ['IntakeRole', 'NodeJoiningRole', 'SweepRole'],
  JoiningDeadLetterQueue: ['NodeJoiningRole'],
  EtcdQueue: ['IntakeRole', 'EtcdMembershipRole', 'SweepRole'],
  EtcdDeadLetterQueue: ['EtcdMembershipRole'],
  CapacityQueue: ['PrewarmRole'],
  CapacityDeadLetterQueue: ['PrewarmRole'],
  UndeliveredQueue: ['BootstrapCredentialRole'],
};

const arnOf = (logicalId) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });

module.exports = async ({ resolveVariable }) => {
  const operatorRole = await resolveVariable('param:operatorRole');
  const hookTopic = await resolveVariable('param:hookTopic');
  const bootstrap = await resolveVariable('param:bootstrap');
  const name = await resolveVariable('self:custom.name');
  const rulesOfThisStack = 'arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/';

  const allowed = {
    InboxQueue: [
      allowService('EventRules', 'events.amazonaws.com', eventRules.map(arnOf)),
      ...(hookTopic ? [allowService('HookTopic', 'sns.amazonaws.com', topicArn(hookTopic))] : []),
    ],
    UndeliveredQueue: [
      allowService('EventRules', 'events.amazonaws.com', { 'Fn::Sub': `${rulesOfThisStack}${name}-*` }),
    ],
  };

  /** A role exists where its part is deployed. */
  const sendersOf = (queue) => [
    ...senders[queue].filter((role) => role !== 'BootstrapCredentialRole' || bootstrap === 'on').map(arnOf),
    ...(operatorRole ? [operatorRole] : []),
  ];

  const policyOf = (queue) => ({
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: queue }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [...(allowed[queue] ?? []), onlySenders(sendersOf(queue)), onlyEncryptedTransport].map(
          (statement) => ({ ...statement, Resource: arnOf(queue) }),
        ),
      },
    },
  });
  return {
    Resources: Object.fromEntries(Object.keys(senders).map((queue) => [`${queue}Policy`, policyOf(queue)])),
  };
};

const allowService = (Sid, Service, sourceArn) => ({
  Sid,
  Effect: 'Allow',
  Principal: { Service },
  Action: 'sqs:SendMessage',
  Condition: { ArnLike: { 'aws:SourceArn': sourceArn } },
});

/** A topic of this account and region by its name, any other by its ARN. */
const topicArn = (topic) =>
  topic.startsWith('arn:')
    ? topic
    : { 'Fn::Sub': `arn:\${AWS::Partition}:sns:\${AWS::Region}:\${AWS::AccountId}:${topic}` };

const onlySenders = (roleArns) => ({
  Sid: 'OnlyNamedSenders',
  Effect: 'Deny',
  Principal: '*',
  Action: 'sqs:SendMessage',
  Condition: {
    BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
    ...(roleArns.length > 0 && { ArnNotLike: { 'aws:PrincipalArn': roleArns } }),
  },
});

const onlyEncryptedTransport = {
  Sid: 'OnlyEncryptedTransport',
  Effect: 'Deny',
  Principal: '*',
  Action: 'sqs:*',
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
};
